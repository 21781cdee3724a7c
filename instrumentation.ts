/** Opens the store when the server starts, so that rounds go on that an earlier process left, without a visitor. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { roundsService } = await import("./lib/rounds/shared-service.ts");
  try {
    await roundsService();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(3);
  }
}
