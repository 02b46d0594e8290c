import "./texts.ts";
import { type RepositoryItem, repositoryList } from "@packhouse/contract/repositories";
import { formatOf } from "@packhouse/formats/format";
import { IconCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { LeaveGuard } from "../../ui/dialogs/leave-guard.tsx";
import pageStyles from "../../ui/styles/page.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { ChooseFiles } from "./choose-files.tsx";
import { ChooseRepository } from "./choose-repository.tsx";
import type { ChosenFile } from "./chosen-file.ts";
import { lastUpload, storeLastUpload } from "./last-upload.ts";
import { clearUploads, enqueue, isUnfinished, useUploads } from "./upload-queue.ts";
import styles from "./upload-screen.module.css";
import { UploadSummary } from "./upload-summary.tsx";

type Step = 1 | 2 | 3;

/** Three steps: repository, files, results. */
export function UploadScreen(): ReactNode {
  const { t } = useTranslation();
  const uploads = useUploads();
  const user = useOwnUser();
  const navigate = useNavigate();
  const { repository: named, results } = useSearch({ from: "/signed-in/upload-packages" });
  const [step, setStep] = useState<Step>(results === "true" && uploads.length > 0 ? 3 : 1);
  /** Undefined until the user chooses; null: none. */
  const [repository, setRepository] = useState<RepositoryItem | null>();
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const unfinished = uploads.some(isUnfinished);
  // Coming from the tray or after a reload, the results are shown; otherwise the wizard starts empty.
  useEffect(() => {
    if (results !== "true") clearUploads();
  }, [results]);
  const asked = useQuery({
    queryKey: ["upload-repositories", "named", named],
    queryFn: ({ signal }) =>
      api.list(repositoryList, new URLSearchParams({ name: named ?? "", deleted: "false" }).toString(), signal),
    enabled: named !== undefined && named !== "",
    select: ({ content }) => content.find(({ name }) => name === named),
  }).data;
  // The repository in the address may arrive after the user has chosen another one, or none.
  const chosen = repository === undefined ? asked : (repository ?? undefined);

  const send = () => {
    if (!chosen) return;
    const [first] = files;
    if (first)
      storeLastUpload(user.id, {
        repository: chosen.name,
        replace: first.replace,
        generateManual: first.generateManual,
      });
    enqueue(
      files.map(({ file, replace, notes, generateManual, binary }) => ({
        file,
        options: {
          technology: chosen.technology,
          repository: chosen.name,
          replace,
          notes,
          generateManual: generateManual && formatOf(chosen.technology).hasManual && !binary,
          binary,
        },
      })),
    );
    setFiles([]);
    setStep(3);
    // After a reload, the results are shown again.
    void navigate({ to: "/upload-packages", search: { results: "true" }, replace: true });
  };
  const again = () => {
    clearUploads();
    setRepository(undefined);
    setStep(1);
    void navigate({ to: "/upload-packages", search: {}, replace: true });
  };
  const titles = [
    t("upload.chooseRepository"),
    chosen ? t("upload.addFiles", { technology: chosen.technology }) : t("upload.addPackages"),
    t("upload.summary"),
  ];
  const outcomes = [chosen?.name, files.length > 0 ? String(files.length) : undefined, undefined];
  return (
    <div data-testid="screen-addSubmission" style={{ maxWidth: 1200 }}>
      <div className={pageStyles.head}>
        <h1>{t("nav.upload")}</h1>
      </div>
      <ol className={styles.steps} aria-label={t("upload.steps")}>
        {titles.map((title, index) => (
          <li key={title} aria-current={step === index + 1 ? "step" : undefined} data-testid={`step-${index + 1}`}>
            <span className={styles.stepNumber}>
              {step > index + 1 ? <IconCheck size={14} className={textStyles.good} aria-hidden /> : index + 1}
            </span>
            {title}
            {outcomes[index] && <span className={styles.stepResult}>{outcomes[index]}</span>}
          </li>
        ))}
      </ol>
      <LeaveGuard when={unfinished || files.length > 0} evenClosing question={t("upload.leave")} />
      {step === 1 && (
        <ChooseRepository
          chosen={chosen}
          last={lastUpload(user.id)?.repository}
          onChoose={(choice) => setRepository(choice ?? null)}
          onChooseLast={() => setRepository(undefined)}
          onContinue={() => setStep(2)}
        />
      )}
      {step === 2 && chosen && (
        <ChooseFiles
          repository={chosen}
          remembered={lastUpload(user.id)}
          files={files}
          onChange={setFiles}
          onBack={() => {
            setFiles([]);
            setStep(1);
          }}
          onSend={send}
        />
      )}
      {step === 3 && <UploadSummary uploads={uploads} onMore={again} />}
    </div>
  );
}
