import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,components,contract,lib,scripts}/**/*.test.{ts,tsx}"],
    environment: "node",
    testTimeout: 60_000,
  },
});
