import type { ChangedProperty, EventType, ResourceType } from "@packhouse/contract/events";
import type { MailKind } from "@packhouse/contract/mail";
import type { SubmissionState } from "@packhouse/contract/references";
import type { HashMethod } from "@packhouse/contract/repositories";
import type { CheckResult, CheckState } from "@packhouse/contract/review/checks";
import type { ReviewDecisionKind, RiskCategory } from "@packhouse/contract/review/conversation";
import type { ReviewLevel, SignalCounts } from "@packhouse/contract/review/release";
import type { SecondFactorKind } from "@packhouse/contract/second-factors";
import type { SecurityEventDetail, SecurityEventType, SecurityResourceType } from "@packhouse/contract/security-events";
import type { Technology } from "@packhouse/contract/technology";
import type { ColumnType, Generated, Insertable, Selectable } from "kysely";

/** Names of the six digests that every stored file has. */
export type DigestName = "md5" | "sha1" | "sha224" | "sha256" | "sha384" | "sha512";
export type Digests = Record<DigestName, string>;

type Json<T> = ColumnType<T, string, string>;
type Instant = ColumnType<Date, Date, Date>;
type OptionalInstant = ColumnType<Date | null, Date | null, Date | null>;

interface UsersTable {
  id: Generated<number>;
  login: string;
  /** The login as it is compared; null until computed, and if an older account has the same. */
  login_key: string | null;
  /** What the login looks like; null until computed. */
  login_skeletons: string[] | null;
  name: string;
  email: string;
  /** 0 to 3, the rank of the role. */
  rank: number;
  active: Generated<boolean>;
  deleted: Generated<boolean>;
  deletion_id: string | null;
  /** The issuer of the identity: `local`, or that of a provider. */
  issuer: string;
  subject: string;
  /** Null for users who only sign in at a provider. */
  password_hash: string | null;
  /** Raised by password change and deactivation; tokens that carry an older one are void. */
  session_epoch: Generated<number>;
  created_on: Instant;
  /** The sign-in at a provider that issued the latest token. */
  provider_sign_in: string | null;
  /** At the provider, according to the latest token. */
  groups: Generated<string[]>;
  last_signed_in_on: OptionalInstant;
  previous_signed_in_on: OptionalInstant;
  expires_on: OptionalInstant;
  /** The password was set by another user and can only be used to choose a new one. */
  password_change_required: Generated<boolean>;
}

interface UserSettingsTable {
  id: Generated<number>;
  user_id: number;
  language: string;
  theme: string;
  page_size: number;
  /** When the user gets mail, by kind; kinds that are missing have the usual time. */
  mail: Generated<unknown>;
}

interface RepositoriesTable {
  id: Generated<number>;
  name: string;
  technology: Technology;
  version: Generated<number>;
  publication_uri: string;
  server_address: string;
  hash_method: HashMethod;
  redirect_to_source: boolean;
  requires_authentication: boolean;
  published: boolean;
  deleted: Generated<boolean>;
  deletion_id: string | null;
  last_modified_on: Instant;
  last_publication_on: OptionalInstant;
  last_publication_successful: Generated<boolean>;
  /** Raised by each change of the public content, in the same transaction. */
  serial: Generated<number>;
  /** The serial whose index is being served; equal to `serial` when nothing is pending. */
  rendered_serial: Generated<number>;
  /** Names, or patterns with `*`, that no mirror may import. */
  reserved_names: Generated<string[]>;
  /** Names of checks that have to pass, or else accepting requires a reason. */
  required_checks: Generated<string[]>;
}

interface PackagesTable {
  id: Generated<number>;
  repository_id: number;
  technology: Technology;
  responsible_user_id: number;
  name: string;
  normalized_name: string;
  version: string;
  /** Equal for equal versions. */
  version_key: string;
  /** Sorts by code point as versions are ordered. */
  version_order: string;
  kind: "source" | "binary";
  /** What distinguishes files of one version: empty for sources, the platform of a binary, the file name of a wheel. */
  target: string;
  file_name: string;
  /** SHA-256 of the file, its key in the storage. */
  digest: string;
  digests: Json<Digests>;
  size: number;
  title: string | null;
  description: string | null;
  description_content_type: string;
  author: string | null;
  url: string | null;
  license: string | null;
  /** The fields of the technology, as the formats workspace read them. */
  metadata: Json<Record<string, unknown>>;
  /** Normalized names of its dependencies. */
  dependency_names: Generated<string[]>;
  active: boolean;
  deleted: Generated<boolean>;
  deletion_id: string | null;
  /** The package that this waiting one replaces when it is accepted. */
  replaces_id: number | null;
  uploaded_on: Instant;
  /** SHA-256 of the PDF of its manual. */
  manual_digest: string | null;
  manual_size: number | null;
  /** A PDF is to be built when it is accepted. */
  manual_wanted: Generated<boolean>;
  /** Why there is no PDF although one was wanted. */
  manual_failure: string | null;
  /** The mirror that brought it; null when it was uploaded. */
  mirror: string | null;
  /** Equal for names that look alike; null for packages that earlier versions stored. */
  name_look: string | null;
}

interface SubmissionsTable {
  id: Generated<number>;
  package_id: number;
  /** That of the package, for lists of one technology. */
  technology: Technology;
  submitter_id: number;
  approver_id: number | null;
  state: SubmissionState;
  changes: string;
  created_on: Instant;
  /** Why it was rejected, or the note of its acceptance. */
  reason: Generated<string | null>;
}

/** Kept by triggers: the sum of the rows that are equal otherwise is how many packages, with their submissions, are so. */
interface PackageCountsTable {
  repository_id: number;
  technology: Technology;
  kind: "source" | "binary";
  mirrored: boolean;
  /** Whether the packages are. */
  deleted: boolean;
  state: SubmissionState;
  number: number;
}

/** How far the review of a waiting submission is; without a row, nothing has happened. */
interface ReviewStatesTable {
  submission_id: number;
  /** Since when it waits for its submitter. */
  changes_asked_on: OptionalInstant;
  assignee_id: number | null;
}

/** The upload that a waiting file has replaced: the last one that a reviewer has opened, if any has. */
interface PreviousUploadsTable {
  submission_id: number;
  digest: string;
  size: number;
  file_name: string;
}

/** Append-only: requests for changes, and the decision that ended the review. */
interface ReviewDecisionsTable {
  id: Generated<number>;
  submission_id: number;
  decision: ReviewDecisionKind;
  reason: string;
  user_id: number;
  decided_on: Instant;
  /** Required checks that had not passed. */
  passed_over: string[];
}

interface ReviewCommentsTable {
  id: Generated<number>;
  submission_id: number;
  /** Null: about the release as a whole. */
  path: string | null;
  line: number | null;
  side: "before" | "after" | null;
  /** The bytes of the file when the comment was written. */
  sha256: string | null;
  /** Markdown; empty once deleted. */
  text: string;
  author_id: number;
  created_on: Instant;
  edited_on: OptionalInstant;
  deleted_on: OptionalInstant;
}

/** Files that a user has seen; a mark is about these bytes. */
interface ReviewMarksTable {
  id: Generated<number>;
  submission_id: number;
  user_id: number;
  path: string;
  /** SHA-256 of the path. */
  path_key: string;
  sha256: string;
}

/** Who has opened a submission. */
interface ReviewLooksTable {
  submission_id: number;
  user_id: number;
  opened_on: Instant;
  /** Until when it counts as open. */
  until: Instant;
}

/** Results of checks; the last one of a name counts. */
interface ReviewChecksTable {
  id: Generated<number>;
  submission_id: number;
  name: string;
  state: CheckState;
  summary: string;
  link: string | null;
  annotations: Json<CheckResult["annotations"]>;
  user_id: number;
  reported_on: Instant;
}

interface ReviewAssessmentsTable {
  submission_id: number;
  category: RiskCategory;
  comment: string;
  user_id: number;
  assessed_on: Instant;
}

/** What the list of releases shows of a stored comparison. */
interface ReviewSummariesTable {
  submission_id: number;
  level: ReviewLevel;
  counts: Json<SignalCounts>;
  lines_added: number;
  lines_removed: number;
  incomplete: boolean;
  /** What it was compared with; null without a base. */
  base_package_id: number | null;
  made_on: Instant;
}

interface MaintainersTable {
  id: Generated<number>;
  user_id: number;
  repository_id: number;
  deleted: Generated<boolean>;
  deletion_id: string | null;
}

interface PackageMaintainersTable extends MaintainersTable {
  package_name: string;
  normalized_name: string;
}

interface AccessTokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256 of the value, hexadecimal. */
  value_hash: string;
  active: Generated<boolean>;
  created_on: Instant;
  expires_on: Instant;
  last_used_on: OptionalInstant;
}

interface EventsTable {
  id: Generated<number>;
  occurred_on: Instant;
  user_id: number;
  event_type: EventType;
  resource_type: ResourceType;
  resource_id: number;
  /** Where it happened, for filters and visibility; null for people and tokens. */
  technology: Technology | null;
  repository_id: number | null;
  package_id: number | null;
  /** Normalized name, which package-maintainer records are matched by. */
  package_name: string | null;
  changed_properties: Json<ChangedProperty[]>;
  description: string;
  /** The record was purged; only administrators who ask for them see its events. */
  purged: Generated<boolean>;
}

/** Separate from `events`: these are merged, and removed after a retention time. */
interface SecurityEventsTable {
  id: Generated<number>;
  occurred_on: Instant;
  last_on: Instant;
  /** How often it happened from `occurred_on` to `last_on`. */
  count: Generated<number>;
  event_type: SecurityEventType;
  detail: SecurityEventDetail;
  /** The actor; null for people without an account, the command line and the server itself. */
  user_id: number | null;
  /** The account that it is about. */
  account_id: number | null;
  /** A login that no account has. */
  subject: string | null;
  address: string | null;
  resource_type: SecurityResourceType;
  resource_id: number;
  technology: Technology | null;
  repository_id: number | null;
  package_id: number | null;
  changed_properties: Json<ChangedProperty[]>;
  /** Events with the same key are one row. */
  merge_key: string | null;
}

/** A digest of each setting at the last start, to find out which ones have changed. */
interface SettingDigestsTable {
  name: string;
  digest: string;
  noted_on: Instant;
}

interface ObjectsTable {
  digest: string;
  size: number;
  /** When an upload last named these bytes; the sweep leaves young ones alone. */
  last_put_on: Instant;
}

/** What waits to be rendered. */
interface IndexChangesTable {
  id: Generated<number>;
  repository_id: number;
  serial: number;
  /** Normalized names; null for everything. */
  names: string[] | null;
  noted_on: OptionalInstant;
}

/** When each serial was first served. */
interface RenderedSerialsTable {
  repository_id: number;
  serial: number;
  rendered_on: Instant;
  public: boolean;
}

/** Bytes of rendered indexes by their SHA-256, shared between serials and repositories. */
interface IndexBlocksTable {
  digest: string;
  bytes: Buffer;
}

/** One part of a repository's index (a range of R packages, a Python project) and the serials for which it holds. */
interface IndexPartsTable {
  repository_id: number;
  key: string;
  from_serial: number;
  /** The first serial for which it no longer holds; null while it is current. */
  to_serial: number | null;
  content: Json<unknown>;
}

/** A path below a repository at which a package file is served, and the serials for which it is. */
interface PublishedFilesTable {
  id: Generated<number>;
  repository_id: number;
  /** Key of the index part that names it. */
  part: string;
  path: string;
  /** SHA-256 of the file. */
  digest: string;
  size: number;
  /** The block with the core metadata of a wheel. */
  metadata_digest: string | null;
  from_serial: number;
  to_serial: number | null;
  /** When the index stopped naming it. */
  withdrawn_on: OptionalInstant;
  /** Its package was purged: no serial serves it any more. */
  purged: Generated<boolean>;
  /** Someone took it down: there is no grace period for it. */
  taken_down: Generated<boolean>;
  /** Not served at live addresses even while an older index names it. */
  closed: Generated<boolean>;
}

/** Bytes of packages that were taken down or purged; a package may have them again. */
interface RemovedFilesTable {
  repository_id: number;
  digest: string;
  purged: boolean;
}

/** How often the file of a package was downloaded on a day (UTC). */
interface PackageDownloadsTable {
  package_id: number;
  day: string;
  count: number;
}

/**
 * Facts read from the archive of a package, and the version of their reader; see
 * `features/packages/contents/package-facts.ts`.
 */
interface PackageFactsTable {
  package_id: number;
  version: number;
  facts: Json<unknown>;
}

/** What an archive consists of, by its SHA-256, and the number of the inspector that found it. */
interface InspectionsTable {
  digest: string;
  technology: Technology;
  inspector: number;
  inspection: Json<unknown>;
  made_on: Instant;
}

/** How two archives differ. */
interface ComparisonsTable {
  digest: string;
  /** Empty where everything counts as added. */
  base_digest: string;
  inspector: number;
  comparison: Json<unknown>;
  made_on: Instant;
}

/** A place outside of this server that holds a copy of a repository, or is to be emptied of it. */
interface RepositoryCopiesTable {
  id: Generated<number>;
  /** Kept when the repository is gone. */
  repository_id: number;
  technology: Technology;
  /** Name of the publication target. */
  target: string;
  /** The place, in the target's own format. */
  place: string;
  /** False: nothing belongs there any more. */
  wanted: boolean;
  /** The serial whose content is there; 0 for none. */
  serial: Generated<number>;
  /** The serial that was tried last. */
  attempted_serial: Generated<number>;
  /** Consecutive failed attempts, not counting those made before the next one was due. */
  failures: Generated<number>;
  /**
   * When the next attempt after a failure is due; otherwise, when files that the index no longer names are to be
   * removed.
   */
  next_attempt_on: OptionalInstant;
}

/** The files on a repository server, as they were pushed. */
interface PushedFilesTable {
  copy_id: number;
  path: string;
  /** Equal for equal bytes. */
  digest: string;
}

/** An upstream repository whose packages are copied into one of ours, and the result of its last run. */
interface MirrorsTable {
  id: Generated<number>;
  repository_id: number;
  name: string;
  uri: string;
  /** Cron expression with five fields; null: only on request. */
  schedule: string | null;
  /** Null: everything that is there. */
  packages: ColumnType<unknown, string | null, string | null>;
  generate_manuals: boolean;
  started_on: OptionalInstant;
  ended_on: OptionalInstant;
  /** How many packages the last run stored. */
  stored: Generated<number>;
  /** Of the last run; none while one is under way. */
  errors: Generated<string[]>;
  /** Whether the last run that ended had errors; null: it ended before this was recorded, and `errors` has them. */
  failing: boolean | null;
  /** Whether it may add versions to names that were uploaded here or that another mirror brought. */
  shared_names: Generated<boolean>;
  /** What the declaration of the repository reserves. */
  reserved_names: Generated<string[]>;
  /** What the last run refused because of existing packages. */
  clashes: ColumnType<unknown, string | undefined, string>;
  /** What the last run skipped. */
  skipped: ColumnType<unknown, string | undefined, string>;
  /** How much the last run reported in all, since each list has a limit; null: not counted. */
  counts: ColumnType<unknown, string | null | undefined, string | null>;
}

/** An index of a mirror as it was last read. */
interface MirrorIndexesTable {
  mirror_id: number;
  address: string;
  /** The requested packages; the content is not valid for other requests. */
  wanted: string;
  etag: string | null;
  last_modified: string | null;
  content: Json<unknown>;
}

/** The last synchronization of a repository with its mirrors, from when it was requested. */
interface SynchronizationsTable {
  repository_id: number;
  started_on: Instant;
  /** Null while it is running. */
  ended_on: OptionalInstant;
}

/** Something a user gets mail about; about exactly one record. */
interface MailNoticesTable {
  id: Generated<number>;
  user_id: number;
  kind: MailKind;
  submission_id: number | null;
  access_token_id: number | null;
  mirror_id: number | null;
  due_on: Instant;
  /** The mail that it is part of, once that has been made. */
  batch: string | null;
  /** How many times the mail server may have accepted that mail, but did not say so. */
  unknown_outcomes: Generated<number>;
  sent_on: OptionalInstant;
}

interface SecretsTable {
  name: string;
  value: string;
  created_on: Instant;
}

interface SignInFailuresTable {
  id: Generated<number>;
  login: string;
  address: string;
  occurred_on: Instant;
  /** The attempt is still being checked. */
  pending: Generated<boolean>;
}

/** Sessions of password sign-ins. */
interface SessionsTable {
  id: Generated<number>;
  user_id: number;
  /** The key in the token. */
  key: string;
  /** The user agent of the client that signed in. */
  device: string;
  /** The address from which it was last used. */
  address: string;
  created_on: Instant;
  last_used_on: Instant;
  expires_on: Instant;
}

/** A link by which a user may set a password, once. */
interface PasswordLinksTable {
  user_id: number;
  /** SHA-256 of the secret in the link, hexadecimal. */
  value_hash: string;
  created_on: Instant;
  expires_on: Instant;
}

/** A second factor of a user who signs in by password. */
interface SecondFactorsTable {
  id: Generated<number>;
  user_id: number;
  kind: SecondFactorKind;
  name: string;
  created_on: Instant;
  last_used_on: OptionalInstant;
  /** Of an authenticator app; never leaves the server once stored. */
  totp_secret: Buffer | null;
  /** The time step of the last code that was accepted: it and earlier ones are refused. */
  totp_last_step: number | null;
  /** Of a passkey, as base64url. */
  credential_id: string | null;
  public_key: Buffer | null;
  signature_count: number | null;
  transports: Generated<string[]>;
}

/** SHA-256 of codes that replace a second factor once. */
interface RecoveryCodesTable {
  user_id: number;
  code_hash: string;
  created_on: Instant;
  used_on: OptionalInstant;
}

/** A sign-in or an enrollment that waits for its second step. */
interface SecondFactorContinuationsTable {
  token_hash: string;
  user_id: number;
  purpose: "sign-in" | "enroll-at-sign-in" | "enroll";
  /** The user's counter at the start: a password change or a deactivation ends the step. */
  session_epoch: number;
  /** Of WebAuthn. */
  challenge: string | null;
  /** Of the authenticator app that is being added. */
  totp_secret: Buffer | null;
  attempts: Generated<number>;
  created_on: Instant;
  expires_on: Instant;
}

/** Codes that were tried. A correct one removes its rows. */
interface SecondFactorAttemptsTable {
  id: Generated<number>;
  user_id: number;
  address: string;
  occurred_on: Instant;
}

export interface Database {
  users: UsersTable;
  user_settings: UserSettingsTable;
  repositories: RepositoriesTable;
  packages: PackagesTable;
  submissions: SubmissionsTable;
  package_counts: PackageCountsTable;
  /** A view: the rows that the counts lack. */
  package_count_corrections: PackageCountsTable;
  review_states: ReviewStatesTable;
  previous_uploads: PreviousUploadsTable;
  review_decisions: ReviewDecisionsTable;
  review_comments: ReviewCommentsTable;
  review_marks: ReviewMarksTable;
  review_looks: ReviewLooksTable;
  review_checks: ReviewChecksTable;
  review_assessments: ReviewAssessmentsTable;
  review_summaries: ReviewSummariesTable;
  repository_maintainers: MaintainersTable;
  package_maintainers: PackageMaintainersTable;
  access_tokens: AccessTokensTable;
  events: EventsTable;
  security_events: SecurityEventsTable;
  setting_digests: SettingDigestsTable;
  objects: ObjectsTable;
  index_changes: IndexChangesTable;
  index_blocks: IndexBlocksTable;
  index_parts: IndexPartsTable;
  published_files: PublishedFilesTable;
  rendered_serials: RenderedSerialsTable;
  removed_files: RemovedFilesTable;
  package_downloads: PackageDownloadsTable;
  package_facts: PackageFactsTable;
  inspections: InspectionsTable;
  comparisons: ComparisonsTable;
  repository_copies: RepositoryCopiesTable;
  pushed_files: PushedFilesTable;
  mirrors: MirrorsTable;
  mirror_indexes: MirrorIndexesTable;
  synchronizations: SynchronizationsTable;
  mail_notices: MailNoticesTable;
  secrets: SecretsTable;
  sign_in_failures: SignInFailuresTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  second_factor_continuations: SecondFactorContinuationsTable;
  second_factor_attempts: SecondFactorAttemptsTable;
  sessions: SessionsTable;
  password_links: PasswordLinksTable;
}

export type UserRow = Selectable<UsersTable>;
export type NewUserRow = Insertable<UsersTable>;
export type RepositoryRow = Selectable<RepositoriesTable>;
export type PackageRow = Selectable<PackagesTable>;
export type NewPackageRow = Insertable<PackagesTable>;
export type SubmissionRow = Selectable<SubmissionsTable>;
export type MirrorRow = Selectable<MirrorsTable>;
export type SessionRow = Selectable<SessionsTable>;
export type NewSessionRow = Insertable<SessionsTable>;
export type PasswordLinkRow = Selectable<PasswordLinksTable>;
export type AccessTokenRow = Selectable<AccessTokensTable>;
export type SecondFactorRow = Selectable<SecondFactorsTable>;
export type NewSecondFactorRow = Insertable<SecondFactorsTable>;
export type ContinuationRow = Selectable<SecondFactorContinuationsTable>;
export type EventRow = Selectable<EventsTable>;
export type SecurityEventRow = Selectable<SecurityEventsTable>;
