import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { configuration, loadConfiguration } from "../api/configuration.ts";
import { signCallsWith } from "../api/credentials.ts";
import { sendDelayedWhenHidden } from "../calls/delayed-action.ts";
import { queryClient } from "../calls/query-client.ts";
import { startLanguages } from "../language/i18n.ts";
import { sessionCredentials } from "../session/credentials.ts";
import { finishAtProvider } from "../session/provider-return.ts";
import { isSignedIn, ownUserQuery } from "../session/session.ts";
import { takeRememberedAddress } from "../session/stored-session.ts";
import { nextTask } from "../ui/loading/next-task.ts";
import { showToastAfterLoad } from "../ui/toast-after-load.ts";
import { draw, loadFont } from "./first-paint.tsx";
import { createConsoleRouter, startRouter } from "./router.tsx";

signCallsWith(sessionCredentials);
loadFont("fontFamily");
loadFont("fontFamilyMonospace");
const loaded = Promise.all([loadConfiguration(), startLanguages()]);
await nextTask();
const router = createConsoleRouter();
await loaded;
// A host that only knows this page sends the provider's redirects here, too.
const returned = await finishAtProvider();
if (returned !== "handled") {
  if (returned) history.replaceState(null, "", takeRememberedAddress() ?? configuration().urlPrefix);
  // Every screen behind the sign-in waits for it.
  if (isSignedIn()) void queryClient.prefetchQuery(ownUserQuery);
  startRouter(router);
  sendDelayedWhenHidden();
  await nextTask();
  draw(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  showToastAfterLoad();
  // Not required for the first paint.
  void import("../ui/keep-focus.ts").then((it) => it.keepFocus());
}
