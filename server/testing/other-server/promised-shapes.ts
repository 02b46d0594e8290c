/**
 * The fields of each API object on a server that sends exactly what the API description promises. Written from that
 * description, not from our contract: a test compares the two.
 */
export type Shape = { readonly [name: string]: Shape | "value" } | { readonly each: Shape };

const values = <Name extends string>(names: string) =>
  Object.fromEntries(names.split(" ").map((name) => [name, "value"])) as Record<Name, "value">;

const userRef = values("id name login email");
const repositoryRef = values(
  "id name publicationUri published requiresAuthentication technology lastPublicationSuccessful",
);
const submissionRef = values("id state");
const settingsRef = values("language theme pageSize");
const links = { each: values("rel href type modifiableProperties") };

const repositoryCore = values(
  "id version publicationUri name serverAddress deleted published synchronizing technology requiresAuthentication",
);
const repository = {
  ...repositoryCore,
  ...values("numberOfPackages lastPublicationTimestamp lastModifiedTimestamp lastPublicationSuccessful"),
  links,
};
const packageCore = {
  ...values("id name version source active deleted technology binary"),
  user: userRef,
  repository: repositoryRef,
  submission: submissionRef,
};
const packageBase = { ...packageCore, ...values("description author title url descriptionContentType"), links };
const submissionCore = {
  ...values("id changes state created technology"),
  submitter: userRef,
  approver: userRef,
};
const user = {
  ...values("id name email login active lastLoggedInOn createdOn deleted roleId role"),
  userSettings: settingsRef,
};
const packageMaintainer = { ...values("id packageName deleted"), user: userRef, repository: repositoryRef };
const repositoryMaintainer = { ...values("id deleted"), user: userRef, repository: repositoryRef };
const accessToken = {
  ...values("id name value creationDate expirationDate active deleted lastUsed"),
  user: userRef,
};

export const shapes = {
  repository,
  rRepository: { ...repository, ...values("redirectToSource") },
  pythonRepository: { ...repository, ...values("hashMethod") },
  package: packageBase,
  rPackage: {
    ...packageBase,
    ...values(
      "depends imports suggests systemRequirements enhances linkingTo priority maintainer license md5sum built rversion architecture distribution needsCompilation",
    ),
  },
  pythonPackage: {
    ...packageBase,
    ...values(
      "authorEmail classifiers homePage keywords license maintainer maintainerEmail platform projectUrl providesExtra requiresDist requiresExternal requiresPython summary hash",
    ),
  },
  submission: { ...submissionCore, packageBag: packageBase, links },
  user: { ...user, links },
  role: values("id value name description"),
  userSettings: { ...settingsRef, ...values("id"), user: userRef, links },
  packageMaintainer: { ...packageMaintainer, links },
  repositoryMaintainer: { ...repositoryMaintainer, links },
  accessToken: { ...accessToken, links },
  event: {
    ...values("id technology time eventType resourceId resourceType relatedResource"),
    user: userRef,
    changedProperties: { each: values("property valueBefore valueAfter") },
    links,
  },
  configuration: {
    ...values(
      "declarativeModeEnabled deletingPackagesEnabled deletingRepositoriesEnabled replacingPackagesEnabled accessTokenLifetimeConfigurable accessTokenLifetimeDefault generateManuals",
    ),
    repositoryNameValidationRegex: { ...values("general"), technology: values("python r") },
  },
  rConfiguration: values("allowedRVersions allowedDistributions allowedArchitectures"),
  vignette: values("title fileName"),
  synchronizationStatus: { ...values("repositoryId timestamp pending"), error: values("present empty") },
} as const satisfies Record<string, Shape>;

/** The fields of an event's subject, by its type. */
export const relatedShapes: Record<string, Shape> = {
  PACKAGE: packageCore,
  REPOSITORY: repositoryCore,
  SUBMISSION: { ...submissionCore, packageBag: packageCore },
  USER: user,
  PACKAGE_MAINTAINER: packageMaintainer,
  REPOSITORY_MAINTAINER: repositoryMaintainer,
  ACCESS_TOKEN: accessToken,
};

/** The value with only the fields of the shape. */
export function cut(value: unknown, shape: Shape | "value"): unknown {
  if (shape === "value" || value === null || typeof value !== "object") return value;
  if ("each" in shape && typeof shape.each === "object")
    return Array.isArray(value) ? value.map((element) => cut(element, shape.each as Shape)) : value; // `each` is checked above
  const fields = Object.entries(shape as Record<string, Shape | "value">); // the other form of a shape
  const record = value as Record<string, unknown>; // an object, as checked above
  return Object.fromEntries(fields.flatMap(([name, of]) => (name in record ? [[name, cut(record[name], of)]] : [])));
}
