import { defineConfig } from "vitest/config";

export default defineConfig({
  define: { CHUNKS: JSON.stringify("{}") },
  test: {
    environment: "happy-dom",
    include: ["static_src/**/*.test.{ts,tsx}"],
    // One environment per worker instead of one per file; test-setup.ts keeps the files apart.
    pool: "threads",
    isolate: false,
    globalSetup: ["static_src/testing/drawings.ts"],
    setupFiles: ["static_src/test-setup.ts"],
    restoreMocks: true,
    sequence: { shuffle: true },
  },
});
