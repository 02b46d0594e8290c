import type { FastifyReply } from "fastify";
import { publicAddress } from "../../http/addresses.ts";
import { preferredLanguage } from "../../http/headers/accept.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { sha256 } from "../records/index-layout.ts";
import { cacheable, type Download, varying } from "./download.ts";
import { pagePolicy, repositoryPage } from "./repository-page/page.ts";
import { pageLanguages, pageTexts } from "./repository-page/texts.ts";
import { sendBytes } from "./serve-bytes.ts";

/** Sends the page for people; `below` are the segments of the address that it names. Whether to do so, never for a client, is decided in `repository-page/wants-page.ts`. */
export function sendRepositoryPage(
  settings: Settings,
  { repository, snapshot: [segment], request, reply }: Download,
  below: readonly string[],
): Promise<FastifyReply> {
  const language = preferredLanguage(request.headers["accept-language"], pageLanguages);
  const snapshot = segment === undefined ? undefined : { segment, serial: repository.serial };
  const html = repositoryPage(
    { ...repository, snapshot, below },
    { server: publicAddress(settings, request), title: settings.title, texts: pageTexts[language] },
  );
  const bytes = Buffer.from(html);
  reply
    .header("content-security-policy", pagePolicy)
    .header("referrer-policy", "no-referrer")
    .header("content-language", language);
  return sendBytes(request, reply, {
    digest: sha256(bytes),
    size: bytes.length,
    type: "text/html; charset=utf-8",
    cacheControl: cacheable(repository, "no-cache"),
    vary: varying(repository, ["Accept", "Accept-Language"]),
    ranges: false,
    read: () => bytes,
  });
}
