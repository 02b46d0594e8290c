/** What an inspection or a comparison may take; what takes more is incomplete. */
export const limits = { seconds: 30, megabytes: 256 };

/** The inspection ends by itself before it is ended, with what it has found until then. */
export const ownMilliseconds = 24_000;

/** Bytes of a text that is shown. */
export const largestText = 5 * 1024 * 1024;
/** Bytes of a file that is downloaded from an archive. */
export const largestMember = 64 * 1024 * 1024;
