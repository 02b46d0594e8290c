import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `npm start` serves the API while the console is worked on. */
const server = "http://localhost:8017";

const sourceFile = (path: string): string => new URL(path, import.meta.url).pathname;

/**
 * Few chunks compress better than many: what every screen needs, what the sign-in needs, and the libraries under both.
 * The other chunks are what is left for single screens.
 */
const chunks = [
  {
    name: "vendor",
    test: /node_modules\/(react|react-dom|scheduler|i18next|react-i18next|zod|clsx|html-parse-stringify|void-elements|use-sync-external-store)\//,
  },
  {
    name: "sign-in",
    test: /console\/(api\/(client|credentials|configuration|failure|lost-connection|unreadable-response|save-blob)|calls\/report-failure|language\/(i18n|en)|session\/(stored-session|own-storage|seen-events|provider-return)|sign-in\/(sign-in|login-screen|next-step|password-link)|app\/(first-paint|color-schemes)|layout\/(top-bar|bar-button|logo|mark)|ui\/(styles\/(global|mantine|text|button|form)|display\/card\.module|theme|toasts|document-title|forms\/field-hooks|lazy-with-retry))\.|contract\/(answer|envelope|limits|login|violations|configuration|operation|operations\/sign-in|links)\.|@mantine\/(notifications|hooks|store)|react-transition-group|@mantine\/core\/esm\/(core|utils|components\/(Portal|Transition|Input|TextInput|InputBase|PasswordInput|Button|UnstyledButton|ActionIcon|CloseButton|Loader|Notification|Box|VisuallyHidden))\//,
  },
  {
    name: "kit",
    test: /@floating-ui\/|@mantine\/core\/esm\/components\/(Popover|Tooltip|Checkbox|Floating|FocusTrap|InlineInput)\//,
  },
  {
    name: "frame",
    test: /node_modules\/@tanstack\/|contract\/(?!addresses|second-factors|event-export|passwords|mirrors|dependencies|snapshots|operations\/(?!users|user-settings|configuration|packages))|console\/(list\/(?!screen\/(date-field|bulk-dialog)|record)|ui\/(?!styles\/(details|lines|note|numbers|progress-bar)|prose|copy|dialogs|action-button|display\/(detail-rows|maintainer|card)|forms\/(day-input|form-buttons|server-select))|calls\/(?!crash-toast|delete-dialog|package-file|save-file)|layout\/(?!settings-tabs)|session\/(?!provider)|api\/(?!missing-routes|in-groups)|app\/(?!login-main|main|shell\/(palette|recent|keys-dialog|language-menu|user-menu|notification|drawer-overlay))|features\/user-settings\/save)/,
  },
  // What is left of many screens: alone, each of these would be a request of a few hundred bytes.
  { name: "icons", test: /@tabler\//, minShareCount: 3 },
];

/** Chunks that every screen has when it loads others. */
const loadedByThen = /\/(rolldown-runtime|preload-helper|vendor|sign-in|kit|frame|icons|index|shell)-[\w-]{8}\.js$/;

/** Summaries and refusals of operations are for the API's description. The console uses neither, and every screen would load them. */
const operationsWithoutDescription = {
  name: "operations-without-description",
  transform: (code: string, id: string) =>
    id.includes("/contract/operations/")
      ? {
          code: code
            // bounded expression: it is applied to our own sources
            .replace(/\bsummary:\s*(?:"[^"\n]*"|`[^`]*`),?/g, "")
            // bounded expression: it is applied to our own sources
            .replace(/\boperationId:\s*"[^"\n]*",?/g, "")
            // bounded expression: it is applied to our own sources
            .replace(/\brefusals:\s*\w+,/g, "")
            // bounded expression: it is applied to our own sources
            .replace(/\bcodes:\s*\[[^\]]*\]/g, "codes: []"),
          map: null,
        }
      : undefined,
};

export default defineConfig({
  // Relative, so that one build serves every path prefix.
  base: "./",
  plugins: [operationsWithoutDescription, react()],
  resolve: {
    alias: { katex: sourceFile("ui/prose/rst-extras.ts"), shiki: sourceFile("ui/prose/rst-extras.ts") },
  },
  // Short names: each is written in a style sheet and in a script.
  css: { modules: { generateScopedName: "[hash:base64:5]" } },
  worker: { format: "es" },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    manifest: true,
    modulePreload: {
      resolveDependencies: (_chunk, dependencies, { hostType }) =>
        hostType === "js" ? dependencies.filter((path) => !loadedByThen.test(path)) : dependencies,
    },
    rolldownOptions: {
      input: [sourceFile("index.html"), sourceFile("login.html")],
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunks } },
    },
  },
  server: {
    proxy: {
      // Not `/api`: a folder of the console's own sources has that name.
      "/api/v2": server,
      "/configuration.json": server,
      // The same address is a screen when it is opened and a call when it is posted to.
      "^/login$": { target: server, bypass: ({ method }) => (method === "POST" ? undefined : "/login.html") },
    },
  },
});
