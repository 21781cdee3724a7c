"use client";

import { Stack, Text } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { IconFileUpload } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { keepDroppedFile } from "../new-round/dropped-file.ts";

/** A file that is dropped anywhere on the page starts a round: it goes to the form with it. */
export function DropAnywhere() {
  const router = useRouter();
  const take = ([file]: File[]) => {
    if (file === undefined) return;
    keepDroppedFile(file);
    router.push("/rounds/new");
  };
  return (
    <Dropzone.FullScreen
      multiple={false}
      onDrop={take}
      withinPortal={false}
      activateOnKeyboard={false}
      inputProps={{ "aria-label": "Dropped stream" }}
    >
      {/* Nothing stands here for those who cannot see that it is hidden, until a file is held over it. */}
      <Dropzone.Accept>
        <Stack align="center" justify="center" mih="80vh" style={{ pointerEvents: "none" }}>
          <IconFileUpload size={48} aria-hidden />
          <Text size="xl">Drop the stream of requests to start a round</Text>
        </Stack>
      </Dropzone.Accept>
    </Dropzone.FullScreen>
  );
}
