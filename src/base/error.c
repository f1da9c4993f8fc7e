/* SPDX-License-Identifier: Apache-2.0 */
/* error.c - statuses, their names and exit codes. How failures are reported is in fail.c. */
#include "base/base.h"

const char *shoal_version(void)
{
    return SHOAL_VERSION_TEXT;
}

const char *shoal_status_name(shoal_status status)
{
    switch (status) {
    case SHOAL_OK: return "SHOAL_OK";
    case SHOAL_EIO: return "SHOAL_EIO";
    case SHOAL_EINVAL: return "SHOAL_EINVAL";
    case SHOAL_EUNSAT: return "SHOAL_EUNSAT";
    case SHOAL_EDATA: return "SHOAL_EDATA";
    case SHOAL_EBUDGET: return "SHOAL_EBUDGET";
    case SHOAL_ECANCELLED: return "SHOAL_ECANCELLED";
    case SHOAL_ENOMEM: return "SHOAL_ENOMEM";
    case SHOAL_EINTERNAL: return "SHOAL_EINTERNAL";
    }
    return "SHOAL_UNKNOWN";
}

int shoal_status_exit_code(shoal_status status)
{
    switch (status) {
    case SHOAL_OK: return 0;
    case SHOAL_EINVAL: return 2;
    case SHOAL_EUNSAT: return 3;
    case SHOAL_EDATA: return 4;
    case SHOAL_EBUDGET: return 5;
    case SHOAL_ECANCELLED: return 130;
    case SHOAL_EIO:
    case SHOAL_ENOMEM:
    case SHOAL_EINTERNAL: break;
    }
    return 1;
}
