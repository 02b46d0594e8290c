import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `npm start` serves the API while the console is worked on. */
const server = "http://localhost:8017";

export default defineConfig({
  // Relative, so that one build serves every path prefix.
  base: "./",
  plugins: [react()],
  resolve: {
    alias: {
      katex: new URL("ui/rst-extras.ts", import.meta.url).pathname,
      shiki: new URL("ui/rst-extras.ts", import.meta.url).pathname,
    },
  },
  worker: { format: "es" },
  build: { target: "es2023", assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  server: {
    proxy: {
      // Not `/api`: a folder of the console's own sources has that name.
      "/api/v2": server,
      "/configuration.json": server,
      // The same address is a screen when it is opened and a call when it is posted to.
      "^/login$": { target: server, bypass: ({ method }) => (method === "POST" ? undefined : "/index.html") },
    },
  },
});
