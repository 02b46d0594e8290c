import "./texts.ts";
import { checkServerAddress } from "@packhouse/contract/operations/repositories";
import { IconCloudCheck, IconCloudExclamation, IconCloudQuestion } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../api/client.ts";
import { IconButton } from "../../ui/icon-button.tsx";

/** Asks the server whether a repository server responds there. It never blocks saving. */
export function HealthCheck({ address }: { address: string }) {
  const { t } = useTranslation();
  const [state, setState] = useState<"unknown" | "good" | "bad">("unknown");
  const icons = { unknown: IconCloudQuestion, good: IconCloudCheck, bad: IconCloudExclamation } as const;
  const labels = {
    unknown: t("repository.healthUnknown"),
    good: t("repository.healthGood"),
    bad: t("repository.healthBad"),
  } as const;
  const check = async () => {
    const good = await call(checkServerAddress, { body: { serverAddress: address } }).then(
      () => true,
      () => false,
    );
    setState(good ? "good" : "bad");
  };
  return (
    <span data-testid="health" data-state={state}>
      <IconButton icon={icons[state]} label={labels[state]} onPress={() => void check()} />
    </span>
  );
}
