import type { FindReadyAnswer } from "../../http/ready-answers.ts";
import type { PublishedRepositories } from "../records/published-repositories.ts";
import type { PublishedRepository } from "../records/store.ts";
import type { Download } from "./download.ts";
import type { IndexReader } from "./index-reader.ts";
import { matches, type Sendable } from "./serve-bytes.ts";

/**
 * Clients request indexes far more often than these change. What a request for an index that is open to everyone was
 * answered with is kept, and repeated for equal requests while the repository is as it was.
 */
export interface KnownAnswers {
  /** Called after the answer was given. */
  remember(download: Download, answer: Pick<Sendable, "digest" | "vary">): void;
  find: FindReadyAnswer;
}

/** What was answered with a page. */
interface KnownAnswer {
  /** The record it was answered from; any change of the repository replaces it. */
  repository: PublishedRepository;
  digest: string;
  headers: readonly string[];
  /** Without those that describe the content. */
  headersIfUnchanged: readonly string[];
}

const most = 5000;
const longestKey = 1000;

const ofContent = new Set(["content-type", "content-encoding", "content-length"]);
/** Each answer has its own, or its connection's. */
const ofAnswer = new Set(["x-trace-id", "connection"]);

/** On which request headers the answers of a repository may depend. */
const chosenBy: Record<PublishedRepository["technology"], readonly string[]> = {
  R: ["user-agent"],
  Python: ["accept", "accept-encoding"],
};

export function createKnownAnswers(repositories: PublishedRepositories, index: IndexReader): KnownAnswers {
  const known = new Map<string, KnownAnswer>();
  const keyOf = (
    { technology }: PublishedRepository,
    address: string,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  ) => [address, ...chosenBy[technology].map((name) => headers[name] ?? "")].join("\n");

  return {
    remember({ repository, snapshot, request, reply }, { digest, vary }) {
      if (repository.requiresAuthentication || repository.isPreview || snapshot.length > 0) return;
      if (reply.statusCode !== 200) return;
      if (!vary.every((name) => chosenBy[repository.technology].includes(name.toLowerCase()))) return;
      const key = keyOf(repository, request.url, request.headers);
      if (key.length > longestKey) return;
      const headers = Object.entries(reply.getHeaders()).filter(([name]) => !ofAnswer.has(name));
      const listed = (some: typeof headers) => some.flatMap(([name, value]) => [name, String(value)]);
      known.delete(key);
      known.set(key, {
        repository,
        digest,
        headers: listed(headers),
        headersIfUnchanged: listed(headers.filter(([name]) => !ofContent.has(name))),
      });
      for (const oldest of known.keys()) {
        if (known.size <= most) break;
        known.delete(oldest);
      }
    },
    find({ method, headers }, address) {
      if ((method !== "GET" && method !== "HEAD") || !address.startsWith("/repo/")) return undefined;
      const repository = repositories.known(address.slice("/repo/".length, address.indexOf("/", "/repo/".length)));
      const answer = repository && known.get(keyOf(repository, address, headers));
      if (!answer || answer.repository !== repository) return undefined;
      if (matches(headers["if-none-match"], `"${answer.digest}"`))
        return { status: 304, headers: answer.headersIfUnchanged, body: undefined };
      const body = index.inMemory(answer.digest);
      return body && { status: 200, headers: answer.headers, body: method === "HEAD" ? undefined : body };
    },
  };
}
