import type { RepositoryItem } from "@packhouse/contract/repositories";
import { technologies } from "../../technologies/technologies.ts";
import { safeAddress, withCredentials } from "../../ui/copy/quoted.ts";

/** The address with placeholders for credentials if required, as pip and R expect them. */
const installable = ({ publicationUri, requiresAuthentication }: RepositoryItem): string =>
  requiresAuthentication ? withCredentials(safeAddress(publicationUri)) : safeAddress(publicationUri);

/** The same for a snapshot, in one line. */
export const snapshotLine = (item: RepositoryItem, serial: number): string =>
  technologies[item.technology].snapshotLine(`${installable(item).replace(/\/$/, "")}/@${serial}`);

/** Configures a client to install from this repository by default. */
export const clientSettings = (item: RepositoryItem): string =>
  technologies[item.technology].clientSettings(item, installable(item));
