import { lineValue, netrcWord, rString, safeAddress, shellWord, withCredentials } from "../../ui/copy/quoted.ts";

/**
 * Where clients look for credentials, with the token filled in; REPOSITORY is a placeholder for a repository's name.
 * `address` is the server's, without a trailing slash.
 */
export function tokenPlaces(login: string, token: string, address: string): { name: string; text: string }[] {
  const signedIn = withCredentials(safeAddress(address), `${encodeURIComponent(login.toWellFormed())}:${token}`);
  const index = `${signedIn}/repo/REPOSITORY/simple/`;
  const uploads = `${safeAddress(address)}/repo/REPOSITORY/legacy/`;
  const submissions = `${safeAddress(address)}/api/v2/manager/r/submissions?repository=REPOSITORY`;
  return [
    {
      name: ".netrc",
      text: `machine ${new URL(address).hostname}\nlogin ${netrcWord(login)}\npassword ${netrcWord(token)}`,
    },
    { name: "pip.conf", text: `[global]\nindex-url = ${index}` },
    {
      name: "uv",
      text: [
        `UV_DEFAULT_INDEX=${shellWord(index)}`,
        `UV_PUBLISH_URL=${shellWord(uploads)}`,
        `UV_PUBLISH_USERNAME=${shellWord(login)}`,
        `UV_PUBLISH_PASSWORD=${shellWord(token)}`,
      ].join("\n"),
    },
    {
      name: ".pypirc",
      text: `[distutils]\nindex-servers = packhouse\n\n[packhouse]\nrepository = ${uploads}\nusername = ${lineValue(login)}\npassword = ${lineValue(token)}`,
    },
    {
      name: ".Renviron",
      text: `PACKHOUSE_TOKEN=${shellWord(token)}\n# .Rprofile\n# options(repos = c(packhouse = ${rString(`${signedIn}/repo/REPOSITORY`)}))`,
    },
    {
      name: "curl",
      text: `curl --user ${shellWord(`${login}:${token}`)} \\\n  --form file=@PACKAGE_1.0.tar.gz \\\n  ${shellWord(submissions)}`,
    },
  ];
}
