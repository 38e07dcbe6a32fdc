/* Reads and atomically replaces files of a folder that only the user can change.
 *
 * All paths are absolute or relative to the current folder.  No function raises an error: a file that cannot be
 * read or written is treated as missing.
 */
#ifndef STABLECL_BASE_FILES_H
#define STABLECL_BASE_FILES_H

#include <stddef.h>

#define FILES_PATH 1024                 /* longest path, with its final 0 */

/* Returns NULL if the folder can be used, and otherwise why not: it is a symbolic link, belongs to another user, or can
 * be changed by others; or it does not exist, which is files_absent.  If `make` is TRUE, a missing folder is created
 * for the user alone, with those above it.  Windows protects the folders of a user by their position, so that owner and
 * permissions are not checked there. */
const char *files_folder_trouble(const char *path, int make);
extern const char files_absent[];

/* Returns the contents of a regular file and its size; the caller frees them.  Returns NULL if there is none, if it has
 * more than `maximum` bytes, is a symbolic link, belongs to another user, or can be changed by others. */
unsigned char *files_read(const char *path, size_t maximum, size_t *size);

/* Replaces a file by the two parts, one after the other: they are written to a new file whose name consists of that of
 * the file and the number of the process, which is then renamed, so that another process reads the old contents or the
 * new ones.  Returns 0, and leaves no new file, if that fails. */
int files_replace(const char *path, const void *head, size_t head_size, const void *data, size_t data_size);

/* Sets the time of the last use of a file to now. */
void files_touch(const char *path);

/* Returns TRUE if the file has been removed. */
int files_remove(const char *path);

/* Calls visit() with name, bytes and seconds since the last use of each regular file of a folder. */
void files_visit(const char *folder, void (*visit)(void *context, const char *name, double bytes, double age),
                 void *context);

#endif
