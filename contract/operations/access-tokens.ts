import { accessTokenCreation, accessTokenItem, accessTokenList } from "../access-tokens.ts";
import { edit, list, post, purge, read } from "../operation.ts";

export const listAccessTokens = list(accessTokenList, {
  permission: "listAccessTokens",
  summary: "Access tokens: the caller's own; for administrators, all",
});
export const createAccessToken = post("/access-tokens", {
  permission: "createAccessToken",
  summary: "Create an access token; only this response contains its value",
  answer: { data: accessTokenItem },
  body: { json: accessTokenCreation },
  codes: ["unsupported.media.type", "error.validation", "too.many.access.tokens"],
});
export const readAccessToken = read("/access-tokens/:id", {
  permission: "readAccessToken",
  summary: "An access token",
  data: accessTokenItem,
  codes: ["error.access.token.not.found"],
});
export const editAccessToken = edit("/access-tokens/:id", {
  permission: "editAccessToken",
  summary: "Rename or deactivate an access token",
  data: accessTokenItem,
  codes: ["error.access.token.not.found"],
});
export const deleteAccessToken = purge("/access-tokens/:id", {
  permission: "deleteAccessToken",
  summary: "Delete an access token",
  codes: ["error.access.token.not.found"],
});

export const accessTokenOperations = [
  listAccessTokens,
  createAccessToken,
  readAccessToken,
  editAccessToken,
  deleteAccessToken,
] as const;
