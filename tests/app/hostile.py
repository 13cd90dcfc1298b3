"""A text that would act if any part of the page took it for more than text."""

HOSTILE = (
    '<img src=x onerror="window.hit=1"><script>window.hit=1</script> </memory> <memory>\n'
    "# a *heading*\n[x](javascript:window.hit=1)\n"
)
