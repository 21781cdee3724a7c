import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,components,contract,lib,scripts}/**/*.test.{ts,tsx}"],
    environment: "node",
    testTimeout: 60_000,
    // A machine that is busy takes its time; what never comes is still found out.
    expect: { poll: { timeout: 15_000 } },
  },
});
