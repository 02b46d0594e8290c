import type { UserRef } from "@packhouse/contract/references";
import { useTranslation } from "react-i18next";
import { Avatar } from "./avatar.tsx";

/** A person with his login below, as the first cell of a row. */
export function MaintainerName({ user, deleted }: { user: UserRef; deleted: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="ph-name">
      <Avatar name={user.name} />
      <div className="ph-name-lines">
        <div className="ph-name-line">
          <span style={{ fontWeight: 600, overflow: "hidden", textOverflow: "ellipsis" }}>{user.name}</span>
          {deleted && (
            <span className="ph-chip" data-tone="red">
              {t("word.deleted")}
            </span>
          )}
        </div>
        <div className="ph-second">{user.login}</div>
      </div>
    </div>
  );
}
