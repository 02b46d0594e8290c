import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../ui/toasts.tsx";
import { toastWithUndo } from "../ui/undo-toast.tsx";
import { reportFailure } from "./report-failure.tsx";

interface ChangeOptions {
  /** Shown when it is done: what was done to what. */
  success: string;
  /** The reverse call, if there is one; offered for a few seconds. */
  undo?: () => Promise<unknown>;
  /** Other queries that must be refetched: their keys. */
  affects?: readonly QueryKey[];
  /** Shows a failure in its own place; returns true if it did. */
  onFailure?(error: unknown): boolean;
  onDone?(): void;
}

/**
 * A call that changes something: busy while it runs, then reloads lists and shows the user the result.
 * `send` receives whether the page is being closed.
 */
export function useChange(
  run: (leaving: boolean) => Promise<unknown>,
  { success, undo, affects = [], onFailure, onDone }: ChangeOptions,
): { busy: boolean; change(): void; send(leaving: boolean): Promise<void> } {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const reload = () => Promise.all([["list"], ...affects].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const takeBack = async (reverse: () => Promise<unknown>) => {
    try {
      await reverse();
      toast.success(t("done.undone", { what: success }));
    } catch (error) {
      reportFailure(error);
    } finally {
      await reload();
    }
  };
  const send = async (leaving: boolean) => {
    setBusy(true);
    try {
      await run(leaving);
      if (undo) toastWithUndo(success, () => void takeBack(undo));
      else toast.success(success);
      onDone?.();
    } catch (error) {
      if (!onFailure?.(error)) reportFailure(error);
    } finally {
      await reload();
      setBusy(false);
    }
  };
  return { busy, change: () => void send(false), send };
}
