import type { UserRef } from "@packhouse/contract/references";
import { useTranslation } from "react-i18next";
import chipStyles from "../styles/chip.module.css";
import textStyles from "../styles/text.module.css";
import { Avatar } from "./avatar.tsx";
import nameCellStyles from "./name-cell.module.css";

/** A user with their login below, as the first cell of a row. */
export function MaintainerName({ user, deleted }: { user: UserRef; deleted: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={nameCellStyles.name}>
      <Avatar name={user.name} />
      <div className={nameCellStyles.lines}>
        <div className={nameCellStyles.line}>
          <span style={{ fontWeight: 600, overflow: "hidden", textOverflow: "ellipsis" }}>{user.name}</span>
          {deleted && (
            <span className={chipStyles.chip} data-tone="red">
              {t("word.deleted")}
            </span>
          )}
        </div>
        <div className={textStyles.second}>{user.login}</div>
      </div>
    </div>
  );
}
