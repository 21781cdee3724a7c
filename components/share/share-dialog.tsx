"use client";

import { Button, CopyButton, Group, Modal, NativeSelect, Stack, Table, Text, TextInput } from "@mantine/core";
import { IconShare } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { ShareRow } from "../../contract/round-view.ts";
import { formatCount } from "../format/format.ts";
import { LiveControls } from "../shell/live-controls.tsx";
import { Moment, RelativeMoment } from "../shell/moment.tsx";
import { NotDone, type Told, useTold } from "../shell/told.tsx";

const LIVES = [
  { value: "day", label: "A day" },
  { value: "week", label: "A week" },
  { value: "month", label: "A month" },
  { value: "never", label: "Until revoked" },
];

const SHOWS = [
  { value: "all", label: "Everything, with the stream" },
  { value: "no-stream", label: "Everything but the stream" },
  { value: "masked", label: "No stream, and names masked" },
];
const TOLD: Readonly<Record<string, string>> = {
  all: "Whoever has the link sees this round, its inputs and its report, and nothing else.",
  "no-stream":
    "Whoever has the link sees the same pages, policy and report; the stream and what holds it cannot be taken away.",
  masked:
    "Tenants and request ids are replaced by masks, the same name always by the same mask; another link has other masks. The names of the round and its files, and findings in words, are withheld. Only the contract can be downloaded.",
};

/** What a link shows, in a few words. */
const showsOf = ({ raw, masked }: ShareRow): string => (masked ? "masked" : raw ? "all" : "no stream");

function ShareState({ revoked_at_ms, expires_at_ms }: ShareRow) {
  if (revoked_at_ms !== null) return "revoked";
  if (expires_at_ms === null) return "until revoked";
  return (
    <>
      {expires_at_ms <= Date.now() ? "expired" : "until"} <Moment at_ms={expires_at_ms} />
    </>
  );
}

const ONE_LINE = { whiteSpace: "nowrap" } as const;

function ShareTable({ shares, onRevoke }: { shares: ShareRow[]; onRevoke: (id: string) => void }) {
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Link</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Life</Table.Th>
            <Table.Th>Shows</Table.Th>
            <Table.Th>Opened</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shares.map((share) => (
            <Table.Tr key={share.id}>
              <Table.Td style={ONE_LINE}>…{share.hint}</Table.Td>
              <Table.Td style={ONE_LINE}>
                <Moment at_ms={share.created_at_ms} />
              </Table.Td>
              <Table.Td style={ONE_LINE}>
                <ShareState {...share} />
              </Table.Td>
              <Table.Td>{showsOf(share)}</Table.Td>
              <Table.Td>
                {share.last_opened_at_ms === null ? (
                  "never"
                ) : (
                  <>
                    {formatCount(share.opened_count)}×, last{" "}
                    <RelativeMoment at_ms={share.last_opened_at_ms} />
                  </>
                )}
              </Table.Td>
              <Table.Td>
                {share.revoked_at_ms === null && (
                  <Button size="compact-xs" color="red" variant="outline" onClick={() => onRevoke(share.id)}>
                    Revoke
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Makes, lists and ends the links of a round. A link's address is shown once, when it is made. */
export function ShareDialog(props: {
  create: (life: string, shows: string) => Promise<{ token: string } | { problem: string }>;
  list: () => Promise<ShareRow[]>;
  revoke: (id: string) => Promise<Told>;
}) {
  const [isOpen, setOpen] = useState(false);
  const [life, setLife] = useState("week");
  const [shows, setShows] = useState("all");
  const [shares, setShares] = useState<ShareRow[]>([]);
  const [link, setLink] = useState<string | null>(null);
  const { problem, isBusy, ask } = useTold();
  const links = useRef<HTMLDivElement>(null);
  const reload = async () => setShares(await props.list());
  const open = async () => {
    setLink(null);
    setOpen(true);
    await reload();
  };
  const create = async () => {
    const made = await props.create(life, shows);
    if ("problem" in made) return made.problem;
    setLink(`${window.location.origin}/share/${made.token}`);
    await reload();
    return null;
  };
  const revoke = async (id: string) => {
    const told = await props.revoke(id);
    if (told !== null) return told;
    setLink(null);
    await reload();
    // The button that was pressed is gone.
    links.current?.focus({ preventScroll: true });
    return null;
  };
  return (
    <LiveControls>
      <Button variant="default" leftSection={<IconShare size={16} aria-hidden />} onClick={open}>
        Share
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Share this round"
        size="xl"
        closeButtonProps={{ "aria-label": "Close" }}
        // Its header is none of the page.
        attributes={{ header: { role: "presentation" } }}
      >
        <Stack gap="md">
          <Group align="flex-end">
            <NativeSelect
              label="The link lives for"
              data={LIVES}
              value={life}
              onChange={(event) => setLife(event.currentTarget.value)}
            />
            <NativeSelect
              label="It shows"
              data={SHOWS}
              value={shows}
              onChange={(event) => setShows(event.currentTarget.value)}
            />
            <Button loading={isBusy} onClick={() => ask(create)}>
              Create a link
            </Button>
          </Group>
          <Text size="sm">{TOLD[shows]}</Text>
          <NotDone problem={problem} />
          {link !== null && (
            <Group align="flex-end" wrap="nowrap">
              <TextInput
                label="Link (shown once)"
                value={link}
                readOnly
                style={{ flex: 1 }}
                data-testid="share-link"
              />
              <CopyButton value={link}>
                {({ copied, copy }) => <Button onClick={copy}>{copied ? "Copied" : "Copy"}</Button>}
              </CopyButton>
            </Group>
          )}
          {shares.length > 0 && (
            <div ref={links} tabIndex={-1} role="group" aria-label="Links of this round">
              <ShareTable shares={shares} onRevoke={(id) => ask(() => revoke(id))} />
            </div>
          )}
        </Stack>
      </Modal>
    </LiveControls>
  );
}
