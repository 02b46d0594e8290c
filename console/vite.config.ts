import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  // Relative, so that one build serves every path prefix.
  base: "./",
  plugins: [react()],
  build: { target: "es2023", assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  server: {
    proxy: {
      "/api": "http://localhost:8017",
      "/login": "http://localhost:8017",
      "/configuration.json": "http://localhost:8017",
    },
  },
});
