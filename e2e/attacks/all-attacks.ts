import { attacks as archives } from "./archives.ts";
import type { Attack } from "./attack.ts";
import { attacks as connections } from "./connections.ts";
import { attacks as events } from "./events.ts";
import { attacks as folders } from "./folders.ts";
import { attacks as fuzzing } from "./fuzzing.ts";
import { attacks as largeMetadata } from "./large-metadata.ts";
import { attacks as manuals } from "./manuals.ts";
import { attacks as mirrors } from "./mirrors.ts";
import { attacks as names } from "./names.ts";
import { attacks as patches } from "./patches.ts";
import { attacks as providerAccounts } from "./provider-accounts.ts";
import { attacks as quotas } from "./quotas.ts";
import { attacks as repositories } from "./repositories.ts";
import { attacks as reviews } from "./reviews.ts";
import { attacks as signIn } from "./sign-in.ts";
import { attacks as slowTexts } from "./slow-texts.ts";

export const allAttacks: readonly Attack[] = [
  ...patches,
  ...slowTexts,
  ...largeMetadata,
  ...archives,
  ...manuals,
  ...names,
  ...mirrors,
  ...repositories,
  ...reviews,
  ...events,
  ...providerAccounts,
  ...connections,
  ...signIn,
  ...quotas,
  ...folders,
  ...fuzzing,
];
