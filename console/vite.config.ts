import { existsSync } from "node:fs";
import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from "@mantine/core";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { cssVariables, theme } from "./ui/theme.ts";

/** Where `npm start` serves the API while the console is worked on. */
const server = "http://localhost:8017";

const sourceFile = (path: string): string => new URL(path, import.meta.url).pathname;

/** Whether a module is one of these, or is in one of these folders. What is renamed has to be renamed here, too. */
function among(...parts: string[]): (module: string) => boolean {
  for (const part of parts)
    if (!existsSync(sourceFile(part.startsWith("@") ? `../node_modules/${part}` : `../${part}`)))
      throw new Error(`a chunk names ${part}, which does not exist`);
  return (module) => parts.some((part) => module.includes(`/${part}`));
}

/**
 * Few chunks compress better than many. A group has the modules that it names and everything that these import, as far as
 * no group before it has that: so its chunk imports only from theirs, and no later step of the sign-in loads the frame.
 */
const chunks = [
  { name: "react", test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\// },
  { name: "vendor", test: /node_modules\/(i18next|react-i18next|zod|clsx|html-parse-stringify|void-elements)\// },
  // The schemas that a sign-in uses, and those of the lists that have a screen. Building them takes slow devices as long as
  // all the rest of a chunk, so they are scripts of their own.
  {
    name: "contract",
    test: among("contract/console-configuration.ts", "contract/envelope.ts", "contract/list-contract.ts"),
  },
  {
    name: "sign-in",
    test: /console\/(app\/first-paint|sign-in\/(login-screen|password-link)|ui\/(document-title|toast-after-load))\./,
  },
  // Of later steps of the sign-in, and of every screen.
  {
    name: "kit",
    test: /console\/ui\/(icon-button|forms\/(blockable-button|checkbox))\.|@mantine\/core\/esm\/core\/(DirectionProvider|utils\/create-safe-context)\//,
  },
  {
    name: "records",
    test: among(
      "contract/access-tokens.ts",
      "contract/configuration.ts",
      "contract/events.ts",
      "contract/maintainers.ts",
      "contract/packages.ts",
      "contract/repositories.ts",
      "contract/sessions.ts",
      "contract/submissions.ts",
      "contract/users.ts",
    ),
  },
  { name: "frame", test: /console\/(app\/(router|shell\/shell)|list\/screen\/list-screen)\./ },
  // What copies and saves: also failures and recovery codes, which a sign-in may show.
  { name: "copy", test: /console\/(ui\/copy\/[^/]+\.(tsx|css)$|api\/save-blob\.)/ },
  // Alone, each of these would be a request of a few hundred bytes.
  { name: "icons", test: /@tabler\//, minShareCount: 3 },
  // What most screens are made of.
  {
    name: "screens",
    test: among(
      "contract/operations/packages.ts",
      "contract/operations/submissions.ts",
      "console/api/in-groups.ts",
      "console/api/options.ts",
      "console/calls/delete-package.ts",
      "console/calls/toggle-box.tsx",
      "console/calls/use-change.ts",
      "console/features/packages/origin-mark.tsx",
      "console/features/packages/package-calls.ts",
      "console/features/packages/package-label.ts",
      "console/features/packages/package-obstacles.ts",
      "console/list/bulk-actions.ts",
      "console/list/in-repository.ts",
      "console/list/kind-filter.ts",
      "console/list/record-actions.ts",
      "console/list/restore-action.ts",
      "console/ui/display/avatar.tsx",
      "console/ui/display/date-cell.tsx",
      "console/ui/display/kind.tsx",
      "console/ui/display/name-cell.tsx",
      "console/ui/display/state-cell.tsx",
      "console/ui/display/technology-tile.tsx",
      "console/ui/display/zone-note.tsx",
      "console/ui/styles/",
    ),
  },
  // What the pages of a package and of a repository are made of.
  {
    name: "details",
    test: among(
      "@mantine/core/esm/components/Tabs/",
      "console/calls/package-file.ts",
      "console/features/packages/description.tsx",
      "console/technologies/technologies.ts",
      "console/ui/action-button.tsx",
      "console/ui/display/",
      "console/ui/loading/use-steps.ts",
      "console/ui/prose/markdown.tsx",
      "console/ui/prose/prose.tsx",
    ),
  },
  // Also of later steps of the sign-in.
  { name: "hint-tooltip", test: /console\/ui\/hint-tooltip\./ },
  // Of some screens and of the notifications, which those screens would load with it.
  { name: "times", test: among("console/language/calendar-texts.ts", "console/ui/display/relative-time.ts") },
  // Of questions and forms over a screen.
  { name: "dialog", test: /console\/(ui\/dialogs\/(confirm-dialog|leave-guard)|calls\/delete-dialog)\./ },
  { name: "after-first-paint", test: /console\/app\/after-first-paint\/after-first-paint\./ },
];

/** Chunks that every screen has when it loads others. */
const loadedByThen =
  /\/(rolldown-runtime|preload-helper|react|vendor|contract|sign-in|kit|records|frame|icons|index|shell)-[\w-]{8}\.js$/;

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

/** The style sheet with the variables of the theme, which Mantine's provider would compute in each browser. */
const themeVariables: Plugin = {
  name: "theme-variables",
  resolveId: (id) => (id === "virtual:theme-variables.css" ? sourceFile("theme-variables.css") : undefined),
  load: (id) => {
    if (id !== sourceFile("theme-variables.css")) return undefined;
    const merged = mergeMantineTheme(DEFAULT_THEME, theme);
    const standard = defaultCssVariablesResolver(merged);
    const own = cssVariables(merged);
    return convertCssVariables(
      {
        variables: { ...standard.variables, ...own.variables },
        dark: { ...standard.dark, ...own.dark },
        light: { ...standard.light, ...own.light },
      },
      ":root",
    );
  },
};

/**
 * The chunks that a page imports are scripts before its own: each is evaluated in a task, instead of all of them together,
 * so that slow devices stay responsive.
 */
const chunksAsScripts: Plugin = {
  name: "chunks-as-scripts",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (page) => {
      // bounded expression: it is applied to our own pages
      const own = /<script type="module" crossorigin src="[^"]+"><\/script>/.exec(page)?.[0];
      if (own === undefined) throw new Error("a page of the console has no script");
      return (
        page
          .replace(own, "")
          // bounded expression: it is applied to our own pages
          .replaceAll(
            /<link rel="modulepreload" crossorigin href="([^"]+)">/g,
            '<script type="module" crossorigin src="$1"></script>',
          )
          .replace("</head>", `${own}\n  </head>`)
      );
    },
  },
};

export default defineConfig({
  // Relative, so that one build serves every path prefix.
  base: "./",
  plugins: [operationsWithoutDescription, themeVariables, chunksAsScripts, react()],
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
      output: { codeSplitting: { groups: chunks } },
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
