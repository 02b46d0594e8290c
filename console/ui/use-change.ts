import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reportFailure } from "../api/report-failure.tsx";
import { toast } from "./toasts.tsx";

interface ChangeOptions {
  /** Said when it is done; "Request processed successfully" unless given. */
  success?: string;
  onDone?(): void;
}

/** One call that changes something: while it runs it is busy, then lists load again and the person is told how it went. */
export function useChange(
  run: () => Promise<unknown>,
  { success, onDone }: ChangeOptions = {},
): { busy: boolean; change(): void } {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const change = async () => {
    setBusy(true);
    try {
      await run();
      toast.success(success ?? t("message.success"));
      onDone?.();
    } catch (error) {
      reportFailure(error);
    } finally {
      await queries.invalidateQueries({ queryKey: ["list"] });
      setBusy(false);
    }
  };
  return { busy, change: () => void change() };
}
