import { accessTokenItem } from "@packhouse/contract/access-tokens";
import { promisedNames } from "@packhouse/contract/answer";
import { publicConfiguration, rConfiguration } from "@packhouse/contract/configuration";
import { changedProperty, eventItem } from "@packhouse/contract/events";
import { link } from "@packhouse/contract/links";
import { packageMaintainerItem, repositoryMaintainerItem } from "@packhouse/contract/maintainers";
import { packageCore, packageItem, pythonPackageItem, rPackageItem, vignette } from "@packhouse/contract/packages";
import { repositoryRef, submissionRef, userRef } from "@packhouse/contract/references";
import {
  pythonRepositoryItem,
  repositoryCore,
  repositoryItem,
  rRepositoryItem,
  synchronizationStatus,
} from "@packhouse/contract/repositories";
import { roleItem } from "@packhouse/contract/roles";
import { submissionItem } from "@packhouse/contract/submissions";
import { userSettingsItem } from "@packhouse/contract/user-settings";
import { settingsRef, userItem } from "@packhouse/contract/users";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { relatedShapes, type Shape, shapes } from "./promised-shapes.ts";

const described = {
  repository: repositoryItem,
  rRepository: rRepositoryItem,
  pythonRepository: pythonRepositoryItem,
  package: packageItem,
  rPackage: rPackageItem,
  pythonPackage: pythonPackageItem,
  submission: submissionItem,
  user: userItem,
  role: roleItem,
  userSettings: userSettingsItem,
  packageMaintainer: packageMaintainerItem,
  repositoryMaintainer: repositoryMaintainerItem,
  accessToken: accessTokenItem,
  event: eventItem,
  configuration: publicConfiguration,
  rConfiguration,
  vignette,
  synchronizationStatus,
} as const satisfies Record<keyof typeof shapes, z.ZodObject>;

const namesOf = (shape: Shape | undefined): string[] => Object.keys(shape ?? {}).toSorted();

describe("the contract promises the fields that the API's description promises, and no others", () => {
  test.for(Object.entries(described))("of %s", ([name, schema]) => {
    expect(promisedNames(schema).toSorted()).toEqual(namesOf(shapes[name as keyof typeof shapes])); // a key of the table
  });

  test("of the records inside other records", () => {
    const { user, repository, submission } = shapes.package;
    expect(promisedNames(userRef).toSorted()).toEqual(namesOf(user));
    expect(promisedNames(repositoryRef).toSorted()).toEqual(namesOf(repository));
    expect(promisedNames(submissionRef).toSorted()).toEqual(namesOf(submission));
    expect(promisedNames(settingsRef).toSorted()).toEqual(namesOf(shapes.user.userSettings));
    expect(promisedNames(link).toSorted()).toEqual(namesOf(shapes.package.links.each));
    expect(promisedNames(changedProperty).toSorted()).toEqual(namesOf(shapes.event.changedProperties.each));
    expect(promisedNames(packageCore).toSorted()).toEqual(namesOf(relatedShapes.PACKAGE));
    expect(promisedNames(repositoryCore).toSorted()).toEqual(namesOf(relatedShapes.REPOSITORY));
  });
});
