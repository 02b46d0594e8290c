import { createHash } from "node:crypto";
import { type Member, member, zip } from "@packhouse/fixtures/archive-writing";
import { brokenPythonSdists } from "@packhouse/fixtures/broken-python-sdists";
import { brokenPythonWheels } from "@packhouse/fixtures/broken-python-wheels";
import { brokenRArchives } from "@packhouse/fixtures/broken-r-archives";
import { type Attack, must, mustBeRefused } from "./attack.ts";
import { attackedRepositories, type Scene } from "./scene.ts";

const kind = "archives that say one thing and hold another";

interface WheelParts {
  name: string;
  members?: readonly Member[];
  /** The line of a member, in place of the right one. */
  recordOf?(path: string, bytes: Uint8Array): string;
}

async function wheel({ name, members = [], recordOf }: WheelParts): Promise<Buffer> {
  const folder = `${name}-1.0.dist-info`;
  const all = [
    ...members,
    member(
      `${folder}/METADATA`,
      `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\nSummary: s\nAuthor: A\nLicense: MIT\n`,
    ),
    member(`${folder}/WHEEL`, "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
  ];
  const right = (path: string, bytes: Uint8Array) =>
    `${path},sha256=${createHash("sha256").update(bytes).digest("base64url")},${bytes.length}\n`;
  const record = all.map(({ path, bytes }) => (recordOf ?? right)(path, bytes)).join("");
  return Buffer.from(await zip([...all, member(`${folder}/RECORD`, `${record}${folder}/RECORD,,\n`)]));
}

async function mustBeRefusedAsWheel(scene: Scene, name: string, bytes: Uint8Array): Promise<string> {
  const { token } = await scene.freshUser();
  const file = { fileName: `${name}-1.0-py3-none-any.whl`, bytes, type: "application/zip" };
  return mustBeRefused(await scene.upload("python", attackedRepositories.python, file, { token }));
}

const endOf = (bytes: Buffer) => bytes.length - 22;

/** A member between the last one that the directory lists and the directory, that only a ZIP64 end record reveals. */
function withHiddenMember(bytes: Buffer): Buffer {
  const end = endOf(bytes);
  const directory = bytes.readUInt32LE(end + 16);
  const size = bytes.readUInt32LE(end + 12);
  const count = bytes.readUInt16LE(end + 10);
  const name = Buffer.from("evil.pth");
  const text = Buffer.from("import os\n");
  const hidden = Buffer.alloc(30);
  hidden.writeUInt32LE(0x0403_4b50, 0);
  hidden.writeUInt16LE(20, 4);
  hidden.writeUInt32LE(text.length, 18);
  hidden.writeUInt32LE(text.length, 22);
  hidden.writeUInt16LE(name.length, 26);
  const before = Buffer.concat([bytes.subarray(0, directory), hidden, name, text]);
  const zip64 = Buffer.alloc(56);
  zip64.writeUInt32LE(0x0606_4b50, 0);
  zip64.writeBigUInt64LE(44n, 4);
  zip64.writeUInt16LE(45, 12);
  zip64.writeUInt16LE(45, 14);
  zip64.writeBigUInt64LE(BigInt(count), 24);
  zip64.writeBigUInt64LE(BigInt(count), 32);
  zip64.writeBigUInt64LE(BigInt(size), 40);
  zip64.writeBigUInt64LE(BigInt(before.length), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x0706_4b50, 0);
  locator.writeBigUInt64LE(BigInt(before.length + size), 8);
  locator.writeUInt32LE(1, 16);
  const last = Buffer.from(bytes.subarray(end));
  last.writeUInt32LE(0xffff_ffff, 16);
  return Buffer.concat([before, bytes.subarray(directory, end), zip64, locator, last]);
}

/** The first member of the directory as a symbolic link. */
function withLink(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const directory = copy.readUInt32LE(endOf(copy) + 16);
  copy.writeUInt8(3, directory + 5); // made on Unix, so the attributes are a mode
  copy.writeUInt32LE((0o120777 << 16) >>> 0, directory + 38);
  return copy;
}

/** Two members of one name with different bytes. */
async function withTwoOfOneName(name: string): Promise<Buffer> {
  const bytes = await wheel({ name, members: [member("same.py", "good = 1\n"), member("sama.py", "evil = 1\n")] });
  return Buffer.from(bytes.toString("latin1").replaceAll("sama.py", "same.py"), "latin1");
}

const broken = (
  variant: string,
  technology: "r" | "python",
  build: () => Promise<readonly { fileName: string; bytes: Uint8Array }[]>,
  form: Pick<Attack, "long"> = {},
): Attack => ({
  kind,
  variant,
  ...form,
  async run(scene) {
    const { token } = await scene.freshUser();
    const all = await build();
    const taken: string[] = [];
    for (const { fileName, bytes } of all) {
      const file = { fileName, bytes, type: "application/octet-stream" };
      const answer = await scene.upload(technology, attackedRepositories[technology], file, { token });
      if (answer.status === 201) taken.push(fileName);
      else mustBeRefused(answer);
    }
    must(
      taken.length <= all.length / 4,
      `${taken.length} of ${all.length} were taken: ${taken.slice(0, 3).join(", ")}`,
    );
    return `${all.length - taken.length} of ${all.length} refused`;
  },
});

export const attacks: readonly Attack[] = [
  {
    kind,
    variant: "a wheel with a member hidden behind a ZIP64 end record",
    run: async (scene) => mustBeRefusedAsWheel(scene, "hidden", withHiddenMember(await wheel({ name: "hidden" }))),
  },
  {
    kind,
    variant: "a wheel with a symbolic link",
    run: async (scene) =>
      mustBeRefusedAsWheel(
        scene,
        "linked",
        withLink(await wheel({ name: "linked", members: [member("linked.py", "/etc/passwd")] })),
      ),
  },
  {
    kind,
    variant: "a wheel whose RECORD has another digest",
    run: async (scene) =>
      mustBeRefusedAsWheel(
        scene,
        "digest",
        await wheel({
          name: "digest",
          members: [member("digest.py", "evil = 1\n")],
          recordOf: (path, bytes) =>
            `${path},sha256=${createHash("sha256").update("other").digest("base64url")},${bytes.length}\n`,
        }),
      ),
  },
  {
    kind,
    variant: "a wheel whose RECORD has another size",
    run: async (scene) =>
      mustBeRefusedAsWheel(
        scene,
        "sized",
        await wheel({
          name: "sized",
          recordOf: (path, bytes) =>
            `${path},sha256=${createHash("sha256").update(bytes).digest("base64url")},${bytes.length + 1}\n`,
        }),
      ),
  },
  {
    kind,
    variant: "a wheel with a member that RECORD does not list",
    run: async (scene) =>
      mustBeRefusedAsWheel(
        scene,
        "unlisted",
        await wheel({
          name: "unlisted",
          members: [member("evil.pth", "import os\n")],
          recordOf: (path, bytes) =>
            path === "evil.pth"
              ? ""
              : `${path},sha256=${createHash("sha256").update(bytes).digest("base64url")},${bytes.length}\n`,
        }),
      ),
  },
  {
    kind,
    variant: "a wheel with one name twice and different bytes",
    run: async (scene) => mustBeRefusedAsWheel(scene, "twice", await withTwoOfOneName("twice")),
  },
  broken("all broken wheels that the formats know", "python", brokenPythonWheels),
  // `formats/format.test.ts` has each of them, without a server.
  broken("all broken sdists that the formats know", "python", brokenPythonSdists, { long: true }),
  broken("all broken R archives that the formats know", "r", brokenRArchives, { long: true }),
];
