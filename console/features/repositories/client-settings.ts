import type { RepositoryItem } from "@packhouse/contract/repositories";
import { technologies } from "../../technologies/technologies.ts";
import { safeAddress, withCredentials } from "../../ui/copy/quoted.ts";

/** The address with a place for credentials where they are needed, as pip and R take them. */
const installable = ({ publicationUri, requiresAuthentication }: RepositoryItem): string =>
  requiresAuthentication ? withCredentials(safeAddress(publicationUri)) : safeAddress(publicationUri);

/** The same for a state of it, in one line. */
export const snapshotLine = (item: RepositoryItem, serial: number): string =>
  technologies[item.technology].snapshotLine(`${installable(item).replace(/\/$/, "")}/@${serial}`);

/** What makes a client install from this repository by itself. */
export const clientSettings = (item: RepositoryItem): string =>
  technologies[item.technology].clientSettings(item, installable(item));
