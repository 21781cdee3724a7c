"use client";

import { Alert, FileInput, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { Name } from "../name/name.tsx";
import { AUDIT_PARTS, type AuditFiles, placeFiles } from "./audit-files.ts";

const LABELS = { contract: "Contract", policy: "Policy", stream: "Stream", report: "Report" };

/** Where a bundle, or a report with its inputs, is dropped or picked. */
export function AuditDrop({ files, onChange }: { files: AuditFiles; onChange: (files: AuditFiles) => void }) {
  const [unplaced, setUnplaced] = useState<string[]>([]);
  const drop = (dropped: File[]) => {
    const placed = placeFiles(files, dropped);
    setUnplaced(placed.unplaced);
    onChange(placed.files);
  };
  return (
    <Stack gap="sm">
      <Dropzone onDrop={drop} inputProps={{ "aria-label": "Bundle, or a report with its inputs" }}>
        <Group gap="sm" justify="center" mih={80} style={{ pointerEvents: "none" }}>
          <IconFileUpload size={28} aria-hidden />
          <Text miw={0} style={{ overflowWrap: "anywhere" }}>
            {files.bundle === null ? (
              "Drop a bundle here, or contract, policy, stream and report together; or click to pick them"
            ) : (
              <>
                Bundle <Name value={files.bundle.name} max={80} />
              </>
            )}
          </Text>
        </Group>
      </Dropzone>
      {unplaced.length > 0 && (
        <Alert
          color="gray"
          title="These names do not tell what the files are: pick each in its place below"
          role="alert"
        >
          {unplaced.map((name) => (
            <div key={name}>
              <Name value={name} max={80} />
            </div>
          ))}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
        {AUDIT_PARTS.map((part) => (
          <FileInput
            key={part}
            label={LABELS[part]}
            placeholder={files.bundle === null ? "No file yet" : "In the bundle"}
            value={files[part]}
            onChange={(file) => onChange({ ...files, bundle: null, [part]: file })}
            clearable
            clearButtonProps={{ "aria-label": `Take the ${part} away` }}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
