/** What happens when the server starts; only where it is Node that starts, so that nothing of it is built for an edge. */
export async function register(): Promise<void> {
  // A branch, and no early return: only what stands in a branch is left out of the edge's build.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { startConsole } = await import("./instrumentation-node.ts");
    await startConsole();
  }
}
