import { list, post, purge, read } from "../operation.ts";
import { sessionItem, sessionList } from "../sessions.ts";

export const listSessions = list(sessionList, {
  permission: "listSessions",
  summary: "Password sessions of the caller; for administrators, also those of other users",
});
export const readSession = read("/sessions/:id", {
  permission: "readSession",
  summary: "A session",
  data: sessionItem,
  codes: ["session.notfound"],
});
export const endSession = purge("/sessions/:id", {
  permission: "endSession",
  summary: "End a session",
  codes: ["session.notfound"],
});
export const endSessionsOfUser = purge("/users/:id/sessions", {
  permission: "endSession",
  summary: "End all sessions of a user except the one of this request",
  codes: ["user.notfound"],
});
export const logOut = post("/logout", {
  permission: "signOut",
  summary: "Sign out: end the session of this request",
  answer: "nothing",
});

export const sessionOperations = [listSessions, readSession, endSession, endSessionsOfUser, logOut] as const;
