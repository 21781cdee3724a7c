/** What happens when the server starts; only where it is Node that starts, so that nothing of it is built for an edge. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startConsole } = await import("./instrumentation-node.ts");
  await startConsole();
}
