/**
 * Where clients look for credentials, with the token already in its place; REPOSITORY stands for a repository's name.
 * `address` is the server's, without a slash at its end.
 */
export function tokenPlaces(login: string, token: string, address: string): { name: string; text: string }[] {
  const withCredentials = address.replace("://", `://${encodeURIComponent(login)}:${token}@`);
  const index = `${withCredentials}/repo/REPOSITORY/simple/`;
  const uploads = `${address}/repo/REPOSITORY/legacy/`;
  return [
    { name: ".netrc", text: `machine ${new URL(address).hostname}\nlogin ${login}\npassword ${token}` },
    { name: "pip.conf", text: `[global]\nindex-url = ${index}` },
    {
      name: "uv",
      text: `UV_DEFAULT_INDEX=${index}\nUV_PUBLISH_URL=${uploads}\nUV_PUBLISH_USERNAME=${login}\nUV_PUBLISH_PASSWORD=${token}`,
    },
    {
      name: ".pypirc",
      text: `[distutils]\nindex-servers = packhouse\n\n[packhouse]\nrepository = ${uploads}\nusername = ${login}\npassword = ${token}`,
    },
    {
      name: ".Renviron",
      text: `PACKHOUSE_TOKEN=${token}\n# .Rprofile\n# options(repos = c(packhouse = "${withCredentials}/repo/REPOSITORY"))`,
    },
    {
      name: "curl",
      text: `curl --user ${login}:${token} \\\n  --form file=@PACKAGE_1.0.tar.gz \\\n  "${address}/api/v2/manager/r/submissions?repository=REPOSITORY"`,
    },
  ];
}
