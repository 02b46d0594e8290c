import type { RepositoryItem } from "@packhouse/contract/repositories";
import { IconCheck } from "@tabler/icons-react";
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ChooseFiles } from "./choose-files.tsx";
import { ChooseRepository } from "./choose-repository.tsx";
import type { ChosenFile } from "./chosen-file.ts";
import { clearUploads, enqueue, isUnfinished, useUploads } from "./upload-queue.ts";
import { UploadSummary } from "./upload-summary.tsx";

type Step = 1 | 2 | 3;

/** Three steps: where to, what, and how it went. */
export function UploadScreen() {
  const { t } = useTranslation();
  const uploads = useUploads();
  const [step, setStep] = useState<Step>(1);
  const [repository, setRepository] = useState<RepositoryItem>();
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const unfinished = uploads.some(isUnfinished);
  useEffect(() => clearUploads(), []);
  useBlocker({
    shouldBlockFn: ({ next, current }) => next.pathname !== current.pathname && !window.confirm(t("upload.leave")),
    disabled: !unfinished && files.length === 0,
    enableBeforeUnload: unfinished,
  });

  const send = () => {
    if (!repository) return;
    enqueue(
      files.map(({ file, replace, notes }) => ({
        technology: repository.technology,
        repository: repository.name,
        file,
        replace,
        notes,
      })),
    );
    setFiles([]);
    setStep(3);
  };
  const again = () => {
    clearUploads();
    setRepository(undefined);
    setStep(1);
  };
  const titles = [
    t("upload.chooseRepository"),
    repository ? t("upload.addFiles", { technology: repository.technology }) : t("upload.addPackages"),
    t("upload.summary"),
  ];
  const results = [repository?.name, files.length > 0 ? String(files.length) : undefined, undefined];
  return (
    <div data-testid="screen-addSubmission" style={{ maxWidth: 1200 }}>
      <div className="ph-head">
        <h1>{t("nav.upload")}</h1>
      </div>
      <ol className="ph-steps" aria-label={t("upload.steps")}>
        {titles.map((title, index) => (
          <li key={title} aria-current={step === index + 1 ? "step" : undefined} data-testid={`step-${index + 1}`}>
            <span className="ph-step-number">
              {step > index + 1 ? <IconCheck size={14} className="ph-good" aria-hidden /> : index + 1}
            </span>
            {title}
            {results[index] && <span className="ph-step-result">{results[index]}</span>}
          </li>
        ))}
      </ol>
      {step === 1 && <ChooseRepository chosen={repository} onChoose={setRepository} onContinue={() => setStep(2)} />}
      {step === 2 && repository && (
        <ChooseFiles
          repository={repository}
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
