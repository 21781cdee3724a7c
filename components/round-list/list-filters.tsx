"use client";

import { Box, Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { IconFilterOff, IconSearch } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { UTC } from "../format/zoned-time.ts";
import { LiveControls, useListening } from "../shell/live-controls.tsx";
import { useZone } from "../shell/time-zone.tsx";
import { useSearchChange } from "../shell/use-search-change.ts";
import { isFiltered, type ListParams, NO_FILTERS } from "./list-params.ts";

const STATUSES = [
  { value: "", label: "Any status" },
  { value: "clean", label: "Clean" },
  { value: "finding", label: "With findings" },
  { value: "unjudged", label: "Could not be judged" },
  { value: "unfinished", label: "Waiting or running" },
  { value: "refused", label: "Refused" },
  { value: "failed", label: "Failed" },
  { value: "cancelled", label: "Cancelled" },
  { value: "removed", label: "Removed" },
];
const PERIODS = [
  { value: "", label: "Any time, or days" },
  { value: "hour", label: "Last hour" },
  { value: "day", label: "Last 24 hours" },
  { value: "week", label: "Last 7 days" },
  { value: "month", label: "Last 30 days" },
];
const TEXTS = ["q", "tenant", "stream", "from", "to"] as const;

/** Kept where the form is sent before the page's script has come: by then what takes effect at once is no field of it. */
const KEPT = ["sort", "dir", "show", "zone"] as const;
const KEPT_UNHEARD = [...KEPT, "status", "period"] as const;

/** Days mean those of the zone on the screen; the URL says which, so that a copied one finds the same rounds. */
const zoneOf = (zone: string, from: string, to: string) => (zone === UTC || from + to === "" ? "" : zone);

function DayFields({ params }: { params: ListParams }) {
  const screen = useZone();
  const zone = params.from + params.to === "" ? screen : params.zone || UTC;
  return (
    <>
      <TextInput
        key={`f${params.from}`}
        type="date"
        name="from"
        label={`From (${zone})`}
        defaultValue={params.from}
      />
      <TextInput
        key={`t${params.to}`}
        type="date"
        name="to"
        label={`To (${zone})`}
        defaultValue={params.to}
      />
    </>
  );
}

/** Search and filters: what they hold is in the URL, and what the URL holds is in them. */
export function ListFilters({ params }: { params: ListParams }) {
  const { go } = useSearchChange();
  const screen = useZone();
  const isListening = useListening();
  const [isOpen, setOpen] = useState(isFiltered(params));
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const texts = Object.fromEntries(TEXTS.map((name) => [name, String(form.get(name) ?? "").trim()]));
    const period = texts.from === "" && texts.to === "" ? {} : { period: "" };
    go({ ...texts, ...period, zone: zoneOf(screen, texts.from ?? "", texts.to ?? ""), page: "" });
  };
  return (
    <Box
      component="form"
      action="/rounds"
      onSubmit={search}
      role="search"
      aria-label="Rounds"
      className="no-print"
    >
      {(isListening ? KEPT : KEPT_UNHEARD).map((name) => (
        <input key={name} type="hidden" name={name} value={params[name]} />
      ))}
      <Group gap="sm" align="flex-end">
        <TextInput
          key={`q${params.q}`}
          name="q"
          label="Name or stream"
          defaultValue={params.q}
          leftSection={<IconSearch size={16} aria-hidden />}
        />
        <LiveControls>
          <Button hiddenFrom="sm" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Fewer filters" : "More filters"}
          </Button>
        </LiveControls>
        <Box className={isOpen ? "filters" : "filters filters-folded"}>
          <LiveControls>
            <NativeSelect
              key={`a${params.status}`}
              name="status"
              label="Status"
              data={STATUSES}
              defaultValue={params.status}
              onChange={(event) => go({ status: event.currentTarget.value, page: "" })}
            />
          </LiveControls>
          <TextInput key={`n${params.tenant}`} name="tenant" label="Tenant" defaultValue={params.tenant} />
          <TextInput
            key={`s${params.stream}`}
            name="stream"
            label="Stream, or its SHA-256"
            defaultValue={params.stream}
          />
          <LiveControls>
            <NativeSelect
              key={`p${params.period}`}
              name="period"
              label="Started"
              data={PERIODS}
              defaultValue={params.period}
              onChange={(event) =>
                go({ period: event.currentTarget.value, from: "", to: "", zone: "", page: "" })
              }
            />
          </LiveControls>
          {params.period === "" && <DayFields params={params} />}
        </Box>
        <Button type="submit" variant="default">
          Search
        </Button>
        <LiveControls>
          <Button
            variant={params.show === "false-green" ? "filled" : "default"}
            aria-pressed={params.show === "false-green"}
            onClick={() => go({ show: params.show === "false-green" ? "" : "false-green", page: "" })}
          >
            Only false greens
          </Button>
          {isFiltered(params) && (
            <Button
              variant="subtle"
              leftSection={<IconFilterOff size={16} aria-hidden />}
              onClick={() => go(NO_FILTERS)}
            >
              Clear filters
            </Button>
          )}
        </LiveControls>
      </Group>
    </Box>
  );
}
