/** English texts for what mirrors did not import, loaded with the repository page. */
export const mirrorTexts = {
  mirrorClash: {
    uploaded: "{{name}} {{version}} was uploaded here and is kept",
    nameUploaded: "{{name}} {{version}}: packages with this name are uploaded here, so no other versions are mirrored",
    otherMirror: "{{name}} {{version}}: the mirror {{with}} added this name first",
    reserved: "{{name}} {{version}}: the name is reserved ({{with}})",
    nameDiffersOnlyInCase: "{{name}} {{version}}: the name differs from {{with}} only in case",
    nameConfusable: "{{name}} {{version}}: the name looks like {{with}}",
    taken: "mirrored anyway",
  },
  mirrorSkip: {
    unsupportedFormat: "files of this kind are not mirrored",
    noSupportedFile: "the project has no file that can be mirrored",
    noFinalRelease: "the project has no final release",
  },
};

export type MirrorTexts = typeof mirrorTexts;
