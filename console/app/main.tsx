import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { loadConfiguration } from "../api/configuration.ts";
import { queryClient } from "../api/query-client.ts";
import { startLanguages } from "../language/i18n.ts";
import { sendHeldBackWhenHidden } from "../ui/held-back.ts";
import { draw } from "./first-paint.tsx";
import { createConsoleRouter } from "./router.tsx";

await Promise.all([loadConfiguration(), startLanguages()]);
const router = createConsoleRouter();
sendHeldBackWhenHidden();
draw(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
