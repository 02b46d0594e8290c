import { Tooltip } from "@mantine/core";
import { formatDate, formatDateTime } from "../../language/i18n.ts";

/** The day; the time in a tooltip. Nothing where there is no date. */
export function DateCell({ at }: { at: string }) {
  if (at === "") return null;
  return (
    <Tooltip label={formatDateTime(at)}>
      <time dateTime={at}>{formatDate(at)}</time>
    </Tooltip>
  );
}
