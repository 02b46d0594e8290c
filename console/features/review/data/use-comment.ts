import type { Received } from "@packhouse/contract/answer";
import { addComment } from "@packhouse/contract/operations/review";
import type { commentCreation } from "@packhouse/contract/review/conversation";
import { useTranslation } from "react-i18next";
import { call } from "../../../api/client.ts";
import { useChange } from "../../../calls/use-change.ts";

/** Adds a comment on a release, or on a place in it. `blocked` is why it cannot be sent yet. */
export function useComment(
  id: number,
  { text, ...place }: Received<typeof commentCreation>,
  onDone: () => void,
): { busy: boolean; blocked: string | undefined; change(): void } {
  const { t } = useTranslation();
  const given = text.trim();
  const { busy, change } = useChange(() => call(addComment, { id, body: { ...place, text: given } }), {
    success: t("review.commentSent"),
    affects: [["review"]],
    onDone,
  });
  return { busy, change, blocked: given === "" ? t("review.writeFirst") : undefined };
}
