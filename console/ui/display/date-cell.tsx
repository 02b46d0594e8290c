import { Tooltip } from "@mantine/core";
import { formatDate, formatDateTime } from "../../language/i18n.ts";

/** The date, with the time in a tooltip. Empty without a date. */
export function DateCell({ at }: { at: string }) {
  if (at === "") return null;
  return (
    <Tooltip label={formatDateTime(at)}>
      <time dateTime={at}>{formatDate(at)}</time>
    </Tooltip>
  );
}
