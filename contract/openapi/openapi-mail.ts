import { longestPathPart } from "../limits.ts";
import { unsubscribePath } from "../mail.ts";
import type { OpenApiOperation } from "./openapi-schemas.ts";

const page = { content: { "text/html": { schema: { type: "string" } } } };

const described = (operationId: string, summary: string): OpenApiOperation => ({
  operationId,
  summary,
  description: "For anyone who has the link: its token is signed, and no sign-in is needed.",
  tags: ["mail"],
  security: [],
  parameters: [{ name: "token", in: "path", required: true, schema: { type: "string", maxLength: longestPathPart } }],
  responses: {
    "200": { description: "A page.", ...page },
    "404": { description: "The link is not valid, or no longer. A page.", ...page },
  },
});

/** The link in mails that stops them, which is outside of the API's prefix. */
export const mailPaths = (): Record<string, { get: OpenApiOperation; post: OpenApiOperation }> => ({
  [unsubscribePath.replace(":token", "{token}")]: {
    get: described("confirmUnsubscription", "Ask whether mail of these kinds should stop; changes nothing"),
    post: described("unsubscribe", "Stop mail of these kinds, with one click in a mail program (RFC 8058)"),
  },
});
