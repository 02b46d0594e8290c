import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";
import type { Settings } from "../../platform/settings/settings.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** False for routes that set their own. */
    securityHeaders?: false;
  }
}

type SendHeaders = (request: IncomingMessage, response: ServerResponse, next: (error?: Error) => void) => void;

/** Sends the headers that tell browsers what the console may do. They are composed once, not for each answer. */
export function securityHeaders(settings: Settings): SendHeaders {
  const send = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", ...logoOrigins(settings)],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...providerOrigins(settings)],
        frameSrc: ["'self'", ...providerOrigins(settings)],
        frameAncestors: ["'self'"],
        objectSrc: ["'none'"],
        // Only a server that is reached by TLS may require it of browsers.
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: settings.publicUrl?.startsWith("https:") ?? false,
  });
  return (request, response, next) =>
    send(request, response, (error) =>
      next(error === undefined || error instanceof Error ? error : new Error(String(error))),
    );
}

/** Logos of the console may be hosted elsewhere; their origins are the only ones that it loads anything from. */
const logoOrigins = (settings: Settings): string[] =>
  [settings["console.smallLogo.address"], settings["console.largeLogo.address"]].flatMap((address) =>
    address && URL.canParse(address) ? [new URL(address).origin] : [],
  );

/** Where the console asks for tokens, and what it frames to renew them. */
function providerOrigins(settings: Settings): string[] {
  const issuer = settings["auth.oidc.issuer"];
  return settings["auth.oidc.enabled"] && issuer ? [new URL(issuer).origin, ...settings["auth.oidc.origins"]] : [];
}
