import { defineConfig } from "vitest/config";

export default defineConfig({
  define: { CHUNKS: JSON.stringify("{}") },
  test: {
    environment: "happy-dom",
    include: ["static_src/**/*.test.{ts,tsx}"],
    restoreMocks: true,
    sequence: { shuffle: true },
  },
});
