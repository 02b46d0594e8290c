import { randomUUID } from "node:crypto";
import { lookup } from "node:dns/promises";
import { z } from "zod";
import { checkServerAddress } from "../../features/repositories/check-server-address.ts";
import type { Db } from "../../platform/db/database.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { createMailer } from "../../platform/mail/mailer.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { isListedOrigin } from "../../publish/copies/push/listed-origin.ts";
import { type Finding, ok, problem, reasonOf, warning } from "./finding.ts";
import { doctorStore } from "./store.ts";

const timeoutMs = 5000;

/**
 * Whether users reach this very installation: tries a sign-in that must fail at the public address, under a login that
 * does not exist, and looks for it among the failures in this database.
 */
export async function checkPublicUrl(db: Db, settings: Settings): Promise<Finding[]> {
  const check = "public address";
  const { publicUrl } = settings;
  if (!publicUrl) return [ok(check, "none is set: only this machine can reach the server")];
  const login = `doctor-${randomUUID()}`;
  try {
    const address = publicUrl.replace(/\/$/, "");
    const { status } = await fetch(`${address}/actuator/health`, { signal: AbortSignal.timeout(timeoutMs) });
    if (status !== 200)
      return [
        problem(
          check,
          `${publicUrl} responds with ${status}`,
          "Make sure that the server runs and that its proxy can reach it.",
        ),
      ];
    if (!settings["auth.simple"])
      return [
        ok(
          check,
          `${publicUrl} responds; without password sign-in, this check cannot verify that it is this installation`,
        ),
      ];
    await fetch(`${address}/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ login, password: randomUUID() }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return [
      (await doctorStore(db).takeFailure(login))
        ? ok(check, `${publicUrl} reaches this installation`)
        : problem(check, `${publicUrl} is not this installation`, "Check publicUrl and the proxy."),
    ];
  } catch (error) {
    const advice = "Make sure that the server runs, and check name, certificate and proxy.";
    return [problem(check, `${publicUrl} cannot be reached from here: ${reasonOf(error)}`, advice)];
  }
}

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

export async function checkProvider(settings: Settings): Promise<Finding[]> {
  const check = "identity provider";
  const issuer = settings["auth.oidc.issuer"];
  if (!settings["auth.oidc.enabled"] || issuer === undefined) return [];
  const advice = "Check auth.oidc.issuer, and make sure that this machine can reach the provider.";
  try {
    const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    const found = discovery.parse(await answer.json());
    if (found.issuer !== issuer)
      return [
        problem(check, `its issuer is ${found.issuer}, not ${issuer}`, "Set auth.oidc.issuer to exactly this value."),
      ];
    const keys = await fetch(found.jwks_uri, { signal: AbortSignal.timeout(timeoutMs) });
    if (!keys.ok) return [problem(check, `its keys respond with ${keys.status}`, advice)];
    return [ok(check, `${issuer} answers`)];
  } catch (error) {
    const seen = error instanceof z.ZodError ? "responds without a discovery document" : reasonOf(error);
    return [problem(check, `${issuer}: ${seen}`, advice)];
  }
}

/** Servers to which repositories are pushed, and the results of the last copies. */
export async function checkTargets(db: Db, settings: Settings): Promise<Finding[]> {
  const findings: Finding[] = [];
  const targets = settings["publication.targets"];
  for (const { name, server_address: address } of await doctorStore(db).repositories()) {
    if (!isListedOrigin(address, targets)) continue;
    try {
      await checkServerAddress(address, targets);
      findings.push(ok(`repository server of ${name}`, `${address} is healthy`));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const advice = "Make sure that it runs; pending changes are pushed once it does.";
      findings.push(problem(`repository server of ${name}`, `${address} is not healthy`, advice));
    }
  }
  for (const { name, place, failures } of await doctorStore(db).failedCopies())
    findings.push(
      warning(
        `copy of ${name}`,
        `${place}: the last ${failures} attempts failed`,
        "See the log of the server for the reason.",
      ),
    );
  return findings;
}

export async function checkMirrors(db: Db): Promise<Finding[]> {
  const hosts = new Set((await doctorStore(db).mirrors()).map(({ uri }) => new URL(uri).hostname));
  return Promise.all(
    [...hosts].map(async (host) => {
      try {
        await lookup(host.replace(/^\[(.*)\]$/, "$1"));
        return ok("mirror", `${host} has an address`);
      } catch (error) {
        return problem(
          "mirror",
          `${host}: ${reasonOf(error)}`,
          "Check the mirror's URI and this machine's DNS resolver.",
        );
      }
    }),
  );
}

/** Connects to the mail server and signs in there, without sending anything. */
export async function checkMail(settings: Settings): Promise<Finding[]> {
  const check = "mail server";
  const mailer = createMailer(settings);
  if (!mailer) return [];
  try {
    await mailer.verify();
    return [ok(check, `${mailer.server} can be used`)];
  } catch (error) {
    return [problem(check, `${mailer.server}: ${reasonOf(error)}`, "Check the settings that begin with mail.")];
  }
}
