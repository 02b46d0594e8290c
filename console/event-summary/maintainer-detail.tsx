import type { UserRef } from "@packhouse/contract/references";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../ui/copy/copy-button.tsx";
import { DetailRows } from "../ui/display/detail-rows.tsx";
import textStyles from "../ui/styles/text.module.css";
import { DeletedBy } from "./deleted-by.tsx";

interface MaintainerDetailProps {
  type: "PACKAGE_MAINTAINER" | "REPOSITORY_MAINTAINER";
  item: { id: number; user: UserRef; deleted: boolean };
}

/** The details of a maintainer's row: how to reach the user, and who removed the maintainer. */
export function MaintainerDetail({ type, item: { id, user, deleted } }: MaintainerDetailProps) {
  const { t } = useTranslation();
  return (
    <>
      {deleted && <DeletedBy type={type} id={id} />}
      <DetailRows
        rows={[
          [
            "login",
            t("column.login"),
            <span key="login" className={textStyles.mono}>
              {user.login}
            </span>,
          ],
          [
            "email",
            t("column.email"),
            <span key="email" className={textStyles.word}>
              <span className={textStyles.anywhere}>{user.email}</span>
              <CopyButton text={user.email} label={`${t("action.copy")} ${user.email}`} />
            </span>,
          ],
        ]}
      />
    </>
  );
}
