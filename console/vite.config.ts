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
    test: /console\/(api\/(client|configuration|failure|report-failure|lost-connection|unreadable-response|save-blob)|language\/(i18n|en)|session\/(stored-session|session-pause|session-token|sign-in|login-screen|next-step|provider-return)|app\/(first-paint|color-schemes|top-bar|bar-button|logo|mark)|ui\/(theme|toasts|document-title|field-hooks|late))\.|contract\/(answer|envelope|limits|login|violations|configuration|routes|links)\.|@mantine\/(notifications|hooks|store)|react-transition-group|@mantine\/core\/esm\/(core|utils|components\/(Portal|Transition|Input|TextInput|InputBase|PasswordInput|Button|UnstyledButton|ActionIcon|CloseButton|Loader|Notification|Box|VisuallyHidden))\//,
  },
  {
    name: "kit",
    test: /@floating-ui\/|@mantine\/core\/esm\/components\/(Popover|Tooltip|Checkbox|Floating|FocusTrap|InlineInput)\//,
  },
  {
    name: "frame",
    test: /node_modules\/@tanstack\/|contract\/(?!second-factors|sessions|event-export|passwords|mirrors|dependencies|snapshots)|console\/(list\/(?!date-field|bulk-dialog|bulk-actions|record|restore)|ui\/(?!compile-markdown|quoted|confirm-dialog|day-input|dialog|delete-dialog|form-buttons|copy|action-button|detail-rows|maintainer|avatar|readme|rst|color-code|prose|markdown|leave-guard|server-select|settings-tabs|card)|session\/(?!provider|sign-in-again|choose-password|new-password)|api\/(?!load-failure|missing-routes|package-file|save-file|in-groups)|app\/(?!palette|keys-dialog|login-main|main|language-menu|user-menu|notification|upload-tray|drawer-overlay)|settings\/save)/,
  },
  // What is left of many screens: alone, each of these would be a request of a few hundred bytes.
  { name: "icons", test: /@tabler\//, minShareCount: 4 },
];

/** Chunks that every screen has when it loads others. */
const loadedByThen = /\/(rolldown-runtime|preload-helper|vendor|sign-in|kit|frame|icons|index|shell)-[\w-]{8}\.js$/;

export default defineConfig({
  // Relative, so that one build serves every path prefix.
  base: "./",
  plugins: [react()],
  resolve: {
    alias: { katex: sourceFile("ui/rst-extras.ts"), shiki: sourceFile("ui/rst-extras.ts") },
  },
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
