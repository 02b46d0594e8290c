import { formatDate, formatDateTime } from "../../language/i18n.ts";
import { explainedBy } from "../hint.tsx";

/** The date, with the time in a tooltip. Empty without a date. */
export function DateCell({ at }: { at: string }) {
  if (at === "") return null;
  return (
    <time dateTime={at} {...explainedBy(() => formatDateTime(at))}>
      {formatDate(at)}
    </time>
  );
}
