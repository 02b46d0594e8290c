/** English texts for what mirrors did not import, loaded with the repository page. */
export const mirrorTexts = {
  mirrorClash: {
    uploaded: "{{name}} {{version}} was uploaded here and is kept",
    nameUploaded: "{{name}} {{version}}: packages of this name are uploaded here, so other versions are not taken",
    otherMirror: "{{name}} {{version}}: the mirror {{with}} brought this name first",
    reserved: "{{name}} {{version}}: the name is reserved ({{with}})",
    nameDiffersOnlyInCase: "{{name}} {{version}}: the name differs from {{with}} only in case",
    nameConfusable: "{{name}} {{version}}: the name looks like {{with}}",
    taken: "brought anyway",
  },
  mirrorSkip: {
    unsupportedFormat: "files of this kind are not taken",
    noSupportedFile: "the project has no file that can be taken",
    noFinalRelease: "the project has no final release",
  },
};

export type MirrorTexts = typeof mirrorTexts;
