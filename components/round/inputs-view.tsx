"use client";

import {
  Anchor,
  Button,
  Code,
  CopyButton,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from "@mantine/core";
import type { BundleFile as RoundFile } from "../../contract/bundle.ts";
import type { Reading, SkippedLines } from "../../contract/request.ts";
import type { RoundInputs } from "../../contract/round-view.ts";
import { ExportLinks } from "../export/export-links.tsx";
import { counted, formatBytes, formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { visibleText } from "../name/visible-name.ts";
import { LiveControls } from "../shell/live-controls.tsx";
import { ImportCard } from "./import-card.tsx";
import { LineTable } from "./line-table.tsx";

/** Of what was judged. @param sha256 null where a link withholds it, since guessed names could be confirmed by it */
function Digest({ sha256 }: { sha256: string | null }) {
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
      SHA-256 {sha256 ?? "withheld: names are masked"}
    </Text>
  );
}

function Download({ file, href }: { file: RoundFile; href: string | null }) {
  if (href === null)
    return (
      <Text size="sm" c="dimmed">
        This link does not give the {file} itself.
      </Text>
    );
  return (
    <Anchor href={href} size="sm" download>
      Download {file}
    </Anchor>
  );
}

function DocumentCard({
  title,
  document,
  href,
}: {
  title: string;
  document: RoundInputs["contract"];
  /** Null where it may not be taken away. */
  href: string | null;
}) {
  const { text } = document;
  return (
    <Paper withBorder p="sm" component="section" miw={0}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}: <Name value={document.name} />
        </Title>
        <Group gap="xs">
          {text !== null && (
            <LiveControls>
              <CopyButton value={text}>
                {({ copied, copy }) => (
                  <Button size="compact-sm" variant="default" onClick={copy}>
                    {copied ? "Copied" : "Copy"}
                  </Button>
                )}
              </CopyButton>
            </LiveControls>
          )}
          {href !== null && (
            <Anchor href={href} size="sm" download>
              Download {title.toLowerCase()}
            </Anchor>
          )}
        </Group>
      </Group>
      <Digest sha256={document.sha256} />
      {text === null ? (
        <Text size="sm">Not shown: the stored file is gone, or is not the one that was judged.</Text>
      ) : (
        <section
          className="scroll-region"
          tabIndex={0}
          aria-label={`${title} text`}
          style={{ maxHeight: "24rem" }}
        >
          <Code block fz="xs" style={{ overflow: "visible", width: "max-content", minWidth: "100%" }}>
            {visibleText(text)}
          </Code>
        </section>
      )}
    </Paper>
  );
}

/** What the round was decided from, by digest, and what was left out of it. */
export function InputsView({
  inputs,
  files,
  reading,
  skipped,
  apiPath,
}: {
  inputs: RoundInputs;
  /** Which files may be taken away: a link may withhold some. */
  files: readonly RoundFile[];
  reading: Reading;
  skipped: SkippedLines | null;
  apiPath: string;
}) {
  const hrefOf = (file: RoundFile) => (files.includes(file) ? `${apiPath}/file/${file}` : null);
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <DocumentCard title="Contract" document={inputs.contract} href={hrefOf("contract")} />
        <DocumentCard title="Policy" document={inputs.policy} href={hrefOf("policy")} />
      </SimpleGrid>
      <Paper withBorder p="sm" component="section">
        <Title order={2} size="h4">
          Stream: <Name value={inputs.stream.name} max={80} />
        </Title>
        <Text size="sm">
          {formatBytes(inputs.stream.bytes)}, {reading} reading
        </Text>
        <Digest sha256={inputs.stream.sha256} />
        <Download file="stream" href={hrefOf("stream")} />
      </Paper>
      {inputs.import !== null && <ImportCard log={inputs.import} />}
      {inputs.report !== null && (
        <Paper withBorder p="sm" component="section">
          <Title order={2} size="h4">
            Report
          </Title>
          <Digest sha256={inputs.report.sha256} />
          <Group gap="md">
            <Download file="report" href={hrefOf("report")} />
            {files.includes("stream") && (
              <Anchor href={`${apiPath}/bundle`} size="sm" download>
                Download all as one bundle
              </Anchor>
            )}
          </Group>
        </Paper>
      )}
      {skipped !== null && skipped.count > 0 && (
        <section>
          <Title order={2} size="h4">
            {counted(skipped.count, "line")} skipped
            {skipped.count > skipped.lines.length ? `, the first ${formatCount(skipped.lines.length)}` : ""}
          </Title>
          <ExportLinks path={`${apiPath}/export/lines`} />
          <LineTable lines={skipped.lines} />
        </section>
      )}
    </Stack>
  );
}
