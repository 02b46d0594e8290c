import { seesDeleted } from "@packhouse/contract/abilities";
import type { EventItem } from "@packhouse/contract/events";
import { submissionState } from "@packhouse/contract/references";
import type { RoleName } from "@packhouse/contract/roles";
import { type Technology, technology } from "@packhouse/contract/technology";
import { z } from "zod";

const named = z.object({ name: z.string() });
const packageLike = named.extend({
  id: z.number(),
  version: z.string(),
  technology,
  repository: named,
  submission: z.object({ state: submissionState }).optional(),
  binary: z.boolean().optional(),
  deleted: z.boolean().optional(),
});
const person = named.extend({ login: z.string() });
const maintainer = z.object({ user: person, repository: named, packageName: z.string().optional() });

/** The subject of an event, as a card shows it. For permanently deleted subjects, only the id is left. */
export interface Subject {
  title: string;
  /** After the title, styled like a version. */
  version?: string;
  /** Its location: repository, login. */
  place?: string;
  technology?: string;
  binary?: boolean;
  /** For users, after the name. */
  login?: string;
  /** The screen for it. */
  page?: {
    to: "/packages/$technology/$id" | "/repositories/$technology/$id";
    params: { technology: Technology; id: number };
  };
}

/**
 * Reads the related record according to its type; what does not match is shown by its id. Deleted records have a page
 * only for users with a role that sees them.
 */
export function subjectOf(event: EventItem, role: RoleName): Subject {
  const { resourceType, resourceId, relatedResource, subject, user } = event;
  const hasPage = ({ deleted = false }: { deleted?: boolean | undefined }) => !deleted || seesDeleted(role);
  // A login that no account has; or the installation, which has a name but no record.
  const unknown: Subject = { title: subject ?? (resourceId === 0 ? user.name : `#${resourceId}`) };
  const read = <Schema extends z.ZodType>(
    schema: Schema,
    value: unknown,
    show: (it: z.output<Schema>) => Subject,
  ): Subject => {
    const parsed = schema.safeParse(value);
    return parsed.success ? show(parsed.data) : unknown;
  };
  const ofPackage = (it: z.output<typeof packageLike>, linked: boolean): Subject => ({
    title: it.name,
    version: it.version,
    place: it.repository.name,
    technology: it.technology,
    ...(it.binary ? { binary: true } : {}),
    ...(linked && hasPage(it)
      ? { page: { to: "/packages/$technology/$id", params: { technology: it.technology, id: it.id } } }
      : {}),
  });
  switch (resourceType) {
    case "PACKAGE":
      return read(packageLike, relatedResource, (it) => ofPackage(it, true));
    case "SUBMISSION":
      return read(packageLike, relatedResource.packageBag, (it) =>
        ofPackage(it, relatedResource.state === "ACCEPTED" || it.submission?.state === "ACCEPTED"),
      );
    case "REPOSITORY":
      return read(named.extend({ technology, deleted: z.boolean().optional() }), relatedResource, (it) => ({
        title: it.name,
        technology: it.technology,
        ...(hasPage(it)
          ? { page: { to: "/repositories/$technology/$id", params: { technology: it.technology, id: resourceId } } }
          : {}),
      }));
    case "PACKAGE_MAINTAINER":
    case "REPOSITORY_MAINTAINER":
      return read(maintainer, relatedResource, (it) => ({
        title: it.user.name,
        login: it.user.login,
        place: [it.packageName, it.repository.name].filter(Boolean).join(" · "),
      }));
    case "USER":
      return read(person, relatedResource, (it) => ({ title: it.name, login: it.login }));
    case "ACCESS_TOKEN":
      return read(named.extend({ user: named }), relatedResource, (it) => ({ title: it.name, place: it.user.name }));
    default:
      return read(named, relatedResource, (it) => ({ title: it.name }));
  }
}
