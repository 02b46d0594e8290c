import { cleanLogin } from "../../platform/names/clean-login.ts";
import { nameKey, skeletons } from "../../platform/names/confusables.ts";

export const longestLogin = 255;

/** A login as it is stored. */
export const loginColumns = (login: string) => ({
  login,
  login_key: nameKey(login),
  login_skeletons: skeletons(login),
});

/** Characters that are invisible, change the text direction, or have no meaning. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

export const isUsableLogin = (login: string): boolean =>
  login !== "" && login.length <= longestLogin && login === cleanLogin(login) && !unseen.test(login);

/** Why a login is not available. */
export interface LoginClash {
  why: "unusable" | "taken" | "lookalike";
  /** The conflicting login. */
  existing?: string;
}

export const clashText = (login: string, { why, existing }: LoginClash): string => {
  if (why === "unusable")
    return `The login ${JSON.stringify(login)} is empty, too long, or contains invisible characters.`;
  if (why === "taken" && existing === login) return `The login ${login} is taken.`;
  return why === "taken"
    ? `The login ${login} is taken: it is the same as ${existing}.`
    : `The login ${login} looks like ${existing}, which already exists.`;
};
