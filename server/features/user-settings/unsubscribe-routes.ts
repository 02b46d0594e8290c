import { unsubscribePath } from "@packhouse/contract/mail";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../http/application.ts";
import type { Deps } from "../deps.ts";
import { readUnsubscription } from "../mail/unsubscribe-link.ts";
import { settingsBody } from "./present-user-settings.ts";
import { stopMail } from "./stop-mail.ts";
import { userSettings } from "./store.ts";
import { questionPage, stoppedPage, wrongLinkPage } from "./unsubscribe-page.ts";

const parameters = z.object({ token: z.string() });
const mostBytes = 4096;

/**
 * The link in mails that stops them, with one click in a mail program (RFC 8058) or on a page. Anyone who has the mail may do
 * that: no one signs in here.
 */
export async function unsubscribeRoutes({ fastify }: App, deps: Deps, secret: string): Promise<void> {
  const { db, settings, clock, limits } = deps;

  const found = async (request: FastifyRequest) => {
    limits.rates.callFrom(request);
    const { token } = parameters.parse(request.params);
    const link = readUnsubscription(token, secret, clock());
    const row = link && (await userSettings(db).of(link.userId));
    if (link && row) return { ...link, language: settingsBody(row, settings).language };
    limits.rates.byStranger(request);
    return undefined;
  };
  const send = (reply: FastifyReply, page: string) =>
    reply.header("cache-control", "no-store").type("text/html; charset=utf-8").send(page);
  const wrong = (reply: FastifyReply) => send(reply.code(404), wrongLinkPage(settings["defaults.language"]));

  await fastify.register(async (scope) => {
    // The address says everything; what mail programs and browsers send with it is not needed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: mostBytes }, async () => undefined);
    scope.get(unsubscribePath, async (request, reply) => {
      const link = await found(request);
      return link ? send(reply, questionPage(link.language, link.kinds)) : wrong(reply);
    });
    scope.post(unsubscribePath, { bodyLimit: mostBytes }, async (request, reply) => {
      const link = await found(request);
      const stopped = link && (await stopMail(deps, { ...link, address: request.ip }));
      return stopped ? send(reply, stoppedPage(link.language, link.kinds)) : wrong(reply);
    });
  });
}
